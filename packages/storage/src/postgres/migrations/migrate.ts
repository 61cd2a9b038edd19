import { NewerLedgerError } from '@daybook/core'
import type { SqlConnection, SqlQuery } from '../sql-connection.ts'

/** One step of the schema. Steps are appended and never changed. */
export interface SqlMigration {
  /** 1 for the first, then one more each. */
  readonly version: number
  /** The oldest code that may write beside this schema, by the highest version that it knows. */
  readonly minCodeVersion: number
  readonly statements: readonly string[]
}

/** `DAYB`: names the lock under which the schema is changed. */
const lockKey = 0x44415942

/**
 * Brings the schema up to this code in one transaction; whoever comes second waits and finds it done. A schema that is
 * current is only read. Throws `NewerLedgerError`.
 */
export async function migrate({ query, transaction }: SqlConnection, steps: readonly SqlMigration[]): Promise<void> {
  const latest = steps.at(-1)!
  const { rows: found } = await query<{ exists: boolean }>(`SELECT to_regclass('daybook_meta') IS NOT NULL AS exists`)
  if (found[0]!.exists && (await schemaVersion(query, latest)) >= latest.version) return
  await transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [lockKey])
    // The server may still take the table for missing that was missing above: creating it looks again.
    await query('CREATE TABLE IF NOT EXISTS daybook_meta (schema_version int NOT NULL, min_code_version int NOT NULL)')
    const version = await schemaVersion(query, latest)
    if (version >= latest.version) return
    for (const step of steps) {
      if (step.version > version) for (const statement of step.statements) await query(statement)
    }
    await query('DELETE FROM daybook_meta')
    await query('INSERT INTO daybook_meta VALUES ($1, $2)', [latest.version, latest.minCodeVersion])
  })
}

/** 0 where it has none yet. */
async function schemaVersion(query: SqlQuery, latest: SqlMigration): Promise<number> {
  const { rows } = await query<{ version: number; minimum: number }>(
    'SELECT schema_version AS version, min_code_version AS minimum FROM daybook_meta',
  )
  const { version, minimum } = rows[0] ?? { version: 0, minimum: 0 }
  if (minimum > latest.version) throw new NewerLedgerError('the schema of the database', minimum, latest.version)
  return version
}
