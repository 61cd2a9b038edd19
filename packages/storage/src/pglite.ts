export { connectPglite } from './postgres/connect-pglite.ts'
export type { SqlConnection, SqlQuery } from './postgres/sql-connection.ts'
