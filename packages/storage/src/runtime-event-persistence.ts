import type { RuntimeEventStore } from '@daybook/core'
import type { SqliteOptions } from './sqlite/config.ts'
import { acquireLease } from './sqlite/lease.ts'
import { sqliteRuntimeEventStore } from './sqlite/runtime-event-store.ts'

/** The runtime events of the ledger in the folder `root`; see `openSqlite`. */
export function createWorkspaceRuntimeStore(root: string, options?: SqliteOptions): RuntimeEventStore {
  return sqliteRuntimeEventStore(acquireLease(root, options))
}
