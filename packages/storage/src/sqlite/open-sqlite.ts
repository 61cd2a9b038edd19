import type { OpenedStorage } from '@daybook/core'
import { sqliteAgentEventStore } from './agent-events/agent-event-store.ts'
import { sqliteAgentRunStore } from './agent-run-store.ts'
import type { SqliteOptions } from './config.ts'
import { acquireLease } from './lease.ts'
import { sqliteRuntimeEventStore } from './runtime-event-store.ts'
import { sqliteSessionStore } from './session-store.ts'

/**
 * Opens the ledger in the folder `root`, and creates it where there is none. Stores and storages of one folder share one
 * connection in this process; the file is closed with the last of them.
 *
 * Throws `RootUnusableError`, `NotALedgerError`, `NewerLedgerError`, `UnsupportedNodeError`, `InvalidInputError`, or a
 * storage error; a file that is refused stays as it was.
 */
export function openSqlite(root: string, options?: SqliteOptions): OpenedStorage {
  const sessions = sqliteSessionStore(acquireLease(root, options))
  const runs = sqliteAgentRunStore(acquireLease(root, options))
  const events = sqliteRuntimeEventStore(acquireLease(root, options))
  const agentEvents = sqliteAgentEventStore(acquireLease(root, options))
  return {
    identity: sessions.storage,
    sessions,
    runs,
    events,
    agentEvents,
    close() {
      for (const store of [sessions, runs, events, agentEvents]) store.close?.()
    },
  }
}
