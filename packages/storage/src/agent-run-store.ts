import type { AgentRunStore } from '@daybook/core'
import { sqliteAgentRunStore } from './sqlite/agent-run-store.ts'
import type { SqliteOptions } from './sqlite/config.ts'
import { acquireLease } from './sqlite/lease.ts'

/** The runs of the ledger in the folder `root`; see `openSqlite`. */
export function createSqliteAgentRunStore(root: string, options?: SqliteOptions): AgentRunStore {
  return sqliteAgentRunStore(acquireLease(root, options))
}
