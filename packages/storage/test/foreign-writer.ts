import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { ForeignRow } from '../src/foreign-row.ts'
import { OPERATIONAL_STATE_DATABASE_NAME } from '../src/operational-state-store.ts'

/** Inserts past Daybook, on a connection of its own of the same SQLite library: another one would break the locks. */
export function insertForeignRows(root: string, rows: readonly ForeignRow[]): void {
  const database = new Database(join(root, OPERATIONAL_STATE_DATABASE_NAME))
  rows.forEach(foreignInserter(database))
  database.close()
}

export function foreignInserter(database: Database.Database): (row: ForeignRow) => void {
  const insert = database.prepare(`
    INSERT INTO runtime_events (
      event_id, session_id, invocation_id, run_id, turn_id, event_seq, event_kind, payload_json, committed_at
    ) VALUES (
      :event_id, :session_id, :invocation_id, :run_id, :turn_id, :event_seq, :event_kind, :payload_json, :committed_at
    )`)
  return (row) => void insert.run(row)
}
