export { OPERATIONAL_STATE_DATABASE_NAME } from './operational-state-store.ts'
export { openMemory, type MemoryOptions } from './memory/open-memory.ts'
export type { Durability, SqliteOptions } from './sqlite/config.ts'
export { openSqlite } from './sqlite/open-sqlite.ts'
