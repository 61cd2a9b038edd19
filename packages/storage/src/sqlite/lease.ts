import { InvalidInputError, StorageClosedError, type StorageIdentity } from '@daybook/core'
import { type SqliteOptions, readOptions } from './config.ts'
import type { Write } from './group-commit.ts'
import { Handle } from './handle.ts'
import { locateFile } from './locate.ts'
import type { Operations } from './operations.ts'

/** One store's use of a file. */
export interface Lease {
  readonly identity: StorageIdentity
  /** The time of a commit. Throws `InvalidInputError` where the clock gives none. */
  now(): number
  read<Result>(read: (operations: Operations) => Result): Promise<Result>
  write<Result>(write: Write<Result>): Promise<Result>
  /** See `AgentEventStore.watch`. Throws `StorageClosedError`. */
  watch(this: void, runId: string, listener: () => void): () => void
  /** See `Handle.checkpoint`. */
  checkpoint(): void
  /** Settles what is queued, then refuses the rest. Whoever closes last closes the file. Closing again does nothing. */
  readonly close: () => void
}

const handles = new Map<string, { readonly handle: Handle; leases: number }>()

/** Opens the ledger in the folder `root`, which exists, or joins those of this process who have it open. */
export function acquireLease(root: string, options?: SqliteOptions): Lease {
  const config = readOptions(options)
  const { busyTimeoutMs, readOnly } = config
  const file = locateFile(root, config.fileName)
  const key = `${readOnly ? 'reads' : 'writes'} ${file}`
  const shared = handles.get(key) ?? { handle: new Handle(file, readOnly), leases: 0 }
  const { handle } = shared
  handle.open(config)
  shared.leases += 1
  handles.set(key, shared)
  let closed = false
  const watches = new Map<() => void, () => void>()
  return {
    identity: handle.identity,
    now() {
      const time = config.now()
      if (Number.isSafeInteger(time)) return time
      throw new InvalidInputError('now', `must give whole milliseconds, not ${String(time)}`)
    },
    read: (read) => (closed ? Promise.reject(new StorageClosedError()) : handle.read(read, busyTimeoutMs)),
    write: (write) => (closed ? Promise.reject(new StorageClosedError()) : handle.write(write, busyTimeoutMs)),
    watch(runId, listener) {
      if (closed) throw new StorageClosedError()
      const stop = handle.watch(runId, listener)
      watches.set(stop, listener)
      return () => {
        watches.delete(stop)
        stop()
      }
    },
    checkpoint() {
      if (!closed) handle.checkpoint()
    },
    close() {
      if (closed) return
      closed = true
      for (const stop of watches.keys()) stop()
      handle.flush()
      // Who watches reads, and is told that the store is closed.
      for (const listener of watches.values()) {
        try {
          listener()
        } catch {}
      }
      shared.leases -= 1
      if (shared.leases > 0) return
      handles.delete(key)
      handle.close()
    },
  }
}
