import type { SessionStore } from '@daybook/core'
import type { SqliteOptions } from './sqlite/config.ts'
import { acquireLease } from './sqlite/lease.ts'
import { sqliteSessionStore } from './sqlite/session-store.ts'

/** The sessions of the ledger in the folder `root`; see `openSqlite`. */
export function createSessionStore(root: string, options?: SqliteOptions): SessionStore {
  return sqliteSessionStore(acquireLease(root, options))
}
