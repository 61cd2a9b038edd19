import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenedStorage } from '@daybook/core'
import Database from 'better-sqlite3'
import type { ForeignRow } from '../src/foreign-row.ts'
import { insertForeignRow } from '../src/memory/foreign-rows.ts'
import { createMemoryLedger } from '../src/memory/ledger.ts'
import { memoryStorage } from '../src/memory/open-memory.ts'
import { OPERATIONAL_STATE_DATABASE_NAME } from '../src/operational-state-store.ts'
import { openSqlite } from '../src/sqlite/open-sqlite.ts'
import { foreignInserter } from './foreign-writer.ts'

/** A storage with a clock that a test sets, and a view of it from outside. */
export interface World {
  readonly storage: OpenedStorage
  setNow(now: number): void
  insertForeignRow(row: ForeignRow): void
  /** How many events of a session another process finds, and their payloads in order. */
  count(sessionId: string): number
  payloads(sessionId: string): readonly string[]
  dispose(): void
}

export function memoryWorld(): World {
  let time = 0
  const ledger = createMemoryLedger(() => time)
  return {
    storage: memoryStorage(ledger),
    setNow: (now) => void (time = now),
    insertForeignRow: (row) => insertForeignRow(ledger, row),
    count: (sessionId) => ledger.sessions.get(sessionId)?.rows.length ?? 0,
    payloads: (sessionId) => (ledger.sessions.get(sessionId)?.rows ?? []).map(({ payload }) => payload),
    dispose() {},
  }
}

export function sqliteWorld(): World {
  let time = 0
  const root = mkdtempSync(join(tmpdir(), 'daybook-world-'))
  const storage = openSqlite(root, { durability: 'normal', now: () => time })
  const database = new Database(join(root, OPERATIONAL_STATE_DATABASE_NAME))
  const count = database.prepare<[string], number>('SELECT count(*) FROM runtime_events WHERE session_id = ?').pluck()
  const payloads = database
    .prepare<[string], string>('SELECT payload_json FROM runtime_events WHERE session_id = ? ORDER BY session_seq')
    .pluck()
  return {
    storage,
    setNow: (now) => void (time = now),
    insertForeignRow: foreignInserter(database),
    count: (sessionId) => count.get(sessionId)!,
    payloads: (sessionId) => payloads.all(sessionId),
    dispose() {
      database.close()
      storage.close()
      rmSync(root, { recursive: true })
    },
  }
}
