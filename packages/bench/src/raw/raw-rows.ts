import Database from 'better-sqlite3'

/** One prepared row per event, in the columns of `runtime_events`. */
export type RawRow = Readonly<Record<string, string | number | Uint8Array | null>>

/** The rows of a ledger in the order of each session, one list a session. */
export function readRowsBySession(file: string): RawRow[][] {
  const database = new Database(file, { readonly: true })
  const rows = database.prepare<[], RawRow>('SELECT * FROM runtime_events ORDER BY session_id, session_seq').all()
  database.close()
  return [...Map.groupBy(rows, (row) => row.session_id).values()]
}
