import { NewerLedgerError, NotALedgerError } from '@daybook/core'
import type { Database } from '../driver.ts'
import type { Migration } from './migration.ts'

/** `DAYB`: stands in the header of each ledger. */
const applicationId = 0x44415942

export interface SchemaState {
  readonly schemaVersion: number
  readonly minCodeVersion: number
}

/**
 * The schema of the file; undefined when it holds nothing at all. Throws `NotALedgerError` for the file of another
 * application and `NewerLedgerError` when this code is too old to write beside it.
 */
export function readSchemaState(
  database: Database,
  file: string,
  migrations: readonly Migration[],
): SchemaState | undefined {
  // One statement, so that another process cannot create the schema between two reads.
  const { id, objects, versioned } = database
    .prepare<[], { id: number; objects: number; versioned: number }>(
      `SELECT application_id AS id, (SELECT count(*) FROM sqlite_schema) AS objects,
        (SELECT count(*) FROM pragma_table_info('meta') WHERE name IN ('schema_version', 'min_code_version')) = 2 AS versioned
      FROM pragma_application_id`,
    )
    .get()!
  if (id === 0 && objects === 0) return undefined
  if (id !== applicationId) throw new NotALedgerError(file, 'it belongs to another application')
  const select = 'SELECT schema_version AS schemaVersion, min_code_version AS minCodeVersion FROM meta'
  const state = versioned === 1 ? database.prepare<[], SchemaState>(select).get() : undefined
  if (state === undefined) throw new NotALedgerError(file, 'it does not say which schema it has')
  const codeVersion = latestVersion(migrations)
  if (state.minCodeVersion > codeVersion) throw new NewerLedgerError(file, state.minCodeVersion, codeVersion)
  return state
}

export function isCurrent(state: SchemaState | undefined, migrations: readonly Migration[]): boolean {
  return state !== undefined && state.schemaVersion >= latestVersion(migrations)
}

/** Brings the schema up to this code in one transaction; whoever comes second finds it done. */
export function migrate(database: Database, file: string, migrations: readonly Migration[]): void {
  database
    .transaction(() => {
      const state = readSchemaState(database, file, migrations)
      if (isCurrent(state, migrations)) return
      database.pragma(`application_id = ${applicationId}`)
      for (const { version, sql } of migrations) if (version > (state?.schemaVersion ?? 0)) database.exec(sql)
      const { version, minCodeVersion } = migrations.at(-1)!
      database.exec('DELETE FROM meta')
      database.prepare('INSERT INTO meta (schema_version, min_code_version) VALUES (?, ?)').run(version, minCodeVersion)
    })
    .immediate()
}

function latestVersion(migrations: readonly Migration[]): number {
  return migrations.at(-1)!.version
}
