import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type OpenedStorage, RootUnusableError } from '@daybook/core'
import { BackendRegistry, SessionManager, type SessionManagerOptions } from '@daybook/runtime'
import { openSqlite, OPERATIONAL_STATE_DATABASE_NAME } from '@daybook/storage'

/** An opened ledger, and the sessions in it. */
export interface Ledger {
  /** The folder in which it is kept. */
  readonly path: string
  readonly storage: OpenedStorage
  readonly manager: SessionManager
  /** Stops what runs in this process, writes how it ended, and closes the ledger. */
  close(): Promise<void>
}

/**
 * Creates the folder of the ledger where there is none. Delivery logs whose time is over are removed while it is open. Without
 * backends it answers nothing. Throws what `openSqlite` throws.
 */
export function openLedger(path: string, options: Partial<SessionManagerOptions> = {}): Ledger {
  try {
    mkdirSync(path, { recursive: true })
  } catch (cause) {
    throw new RootUnusableError(path, (cause as Error).message, { cause })
  }
  const storage = openSqlite(path)
  const { sessions: store, runs: runStore, events: runtimeEventStore, agentEvents: agentEventStore } = storage
  const manager = new SessionManager({
    store,
    runStore,
    runtimeEventStore,
    agentEventStore,
    // What this is started for is over within minutes: a timer would hardly come to it.
    agentEventLog: { sweepAtStart: true },
    backends: new BackendRegistry(),
    ...options,
  })
  return {
    path,
    storage,
    manager,
    async close() {
      try {
        await manager.close()
      } finally {
        storage.close()
      }
    },
  }
}

/** Lets `work` read a ledger and change what needs no agent. Undefined, and none is begun, where there is no ledger. */
export async function withLedger<T>(
  path: string,
  work: (ledger: Ledger) => Promise<T>,
  options: Partial<SessionManagerOptions> = {},
): Promise<T | undefined> {
  if (!existsSync(join(path, OPERATIONAL_STATE_DATABASE_NAME))) return undefined
  const ledger = openLedger(path, options)
  try {
    return await work(ledger)
  } finally {
    await ledger.close()
  }
}
