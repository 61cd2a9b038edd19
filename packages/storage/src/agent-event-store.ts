import type { AgentEventStore } from '@daybook/core'
import { sqliteAgentEventStore } from './sqlite/agent-events/agent-event-store.ts'
import type { SqliteOptions } from './sqlite/config.ts'
import { acquireLease } from './sqlite/lease.ts'

export { AGENT_EVENT_SWEEP_CLAIM_MS, AgentEventDuplicateSeqError, type AgentEventStore } from '@daybook/core'
export { createFileAgentEventStore, type FileOptions } from './file/agent-events/agent-event-store.ts'
export { createMemoryAgentEventStore } from './memory/agent-events/agent-event-store.ts'
export { createPostgresAgentEventStore } from './postgres/agent-events/agent-event-store.ts'

/** The delivery logs in the ledger's file in the folder `root`; see `openSqlite`. */
export function createSqliteAgentEventStore(root: string, options?: SqliteOptions): AgentEventStore {
  return sqliteAgentEventStore(acquireLease(root, options))
}
