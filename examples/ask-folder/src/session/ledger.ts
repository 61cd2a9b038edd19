import { mkdirSync } from 'node:fs'
import { type OpenedStorage, RootUnusableError } from '@daybook/core'
import { BackendRegistry, SessionManager, type SessionManagerOptions } from '@daybook/runtime'
import { openSqlite } from '@daybook/storage'

/** An opened ledger, and the sessions in it. */
export interface Ledger {
  readonly storage: OpenedStorage
  readonly manager: SessionManager
  /** Stops what runs in this process, writes how it ended, and closes the ledger. */
  close(): Promise<void>
}

/** Creates the folder of the ledger where there is none. Without backends it answers nothing. Throws what `openSqlite` throws. */
export function openLedger(path: string, options: Partial<SessionManagerOptions> = {}): Ledger {
  try {
    mkdirSync(path, { recursive: true })
  } catch (cause) {
    throw new RootUnusableError(path, (cause as Error).message, { cause })
  }
  const storage = openSqlite(path)
  const { sessions: store, runs: runStore, events: runtimeEventStore } = storage
  const manager = new SessionManager({
    store,
    runStore,
    runtimeEventStore,
    backends: new BackendRegistry(),
    ...options,
  })
  return {
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
