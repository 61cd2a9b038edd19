export { connectPostgres, type PostgresPool } from './postgres/connect-postgres.ts'
export type { SqlConnection, SqlQuery } from './postgres/sql-connection.ts'
