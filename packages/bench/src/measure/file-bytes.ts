import { join } from 'node:path'
import Database from 'better-sqlite3'
import { OPERATIONAL_STATE_DATABASE_NAME } from '@daybook/storage/operational-state-store'

/** What the file in a folder takes, after a checkpoint. */
export interface FileBytes {
  readonly all: number
  /** JSON of the ledger's events. */
  readonly ledgerPayload: number
  /** Pages of the delivery logs' tables and indexes. */
  readonly log: number
  /** JSON of the delivery logs' events. */
  readonly logPayload: number
  readonly logRows: number
}

export function fileBytes(root: string): FileBytes {
  const database = new Database(join(root, OPERATIONAL_STATE_DATABASE_NAME))
  database.pragma('wal_checkpoint(TRUNCATE)')
  const figures = database
    .prepare<[], FileBytes>(
      `SELECT
        (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size) AS "all",
        (SELECT sum(length(CAST(payload_json AS BLOB))) FROM runtime_events) AS ledgerPayload,
        (SELECT sum(pgsize) FROM dbstat JOIN sqlite_schema USING (name) WHERE tbl_name LIKE 'agent\\_event%' ESCAPE '\\') AS log,
        (SELECT sum(bytes) FROM agent_event_logs) AS logPayload,
        (SELECT sum(last_seq - floor + 1) FROM agent_event_logs) AS logRows`,
    )
    .get()!
  database.close()
  return figures
}
