import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { OPERATIONAL_STATE_DATABASE_NAME } from '../src/operational-state-store.ts'
import { openSqlite } from '../src/sqlite/open-sqlite.ts'
import { foreignInserter } from './foreign-writer.ts'
import type { Tampered } from './tampered.ts'

export function tamperedSqlite(): Tampered {
  const root = mkdtempSync(join(tmpdir(), 'daybook-tampered-'))
  const file = join(root, OPERATIONAL_STATE_DATABASE_NAME)
  const storage = openSqlite(root, { durability: 'normal', now: () => 1 })
  const database = new Database(file)

  function update(table: string, key: object, changes: object): void {
    const columns = Object.keys(changes).map((field) => `${columnOf(field)} = ?`)
    run(`UPDATE ${table} SET ${columns.join(', ')}`, key, Object.entries(changes).map(valueOf))
  }

  function run(sql: string, key: object, values: readonly unknown[] = []): void {
    const conditions = Object.keys(key).map((field) => `${columnOf(field)} = ?`)
    const { changes } = database
      .prepare(`${sql} WHERE ${conditions.join(' AND ')}`)
      .run(...values, ...Object.values(key))
    if (changes !== 1) throw new Error(`${sql} changed ${changes} rows`)
  }

  return {
    storage,
    insertForeignRow: foreignInserter(database),
    payloadOf: ({ invocationId }, eventSeq) =>
      database
        .prepare<[string, number], string>(
          'SELECT payload_json FROM runtime_events WHERE invocation_id = ? AND event_seq = ?',
        )
        .pluck()
        .get(invocationId, eventSeq)!,
    updateEvent: ({ invocationId }, eventSeq, changes) => update('runtime_events', { invocationId, eventSeq }, changes),
    deleteEvent: ({ invocationId }, eventSeq) => run('DELETE FROM runtime_events', { invocationId, eventSeq }),
    updateHead: ({ invocationId }, changes) => update('runtime_heads', { invocationId }, changes),
    deleteHead: ({ invocationId }) => run('DELETE FROM runtime_heads', { invocationId }),
    updateRun: ({ runId }, changes) => update('agent_runs', { runId }, changes),
    deleteRun: ({ runId }) => run('DELETE FROM agent_runs', { runId }),
    updateRequest: (sessionId, requestId, changes) => update('requests', { sessionId, requestId }, changes),
    deleteRequest: (sessionId, requestId) => run('DELETE FROM requests', { sessionId, requestId }),
    copyRequest(sessionId, requestId, changes) {
      const select = 'SELECT * FROM requests WHERE session_id = ? AND request_id = ?'
      const row = database.prepare<[string, string], object>(select).get(sessionId, requestId)!
      const changed = Object.entries(changes).map(([field, value]) => [columnOf(field), value])
      const copy = { ...row, ...Object.fromEntries(changed) }
      const names = Object.keys(copy)
      database
        .prepare(`INSERT INTO requests (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
        .run(...Object.values(copy))
    },
    deleteSession: ({ sessionId: id }) => run('DELETE FROM sessions', { id }),
    dispose() {
      database.close()
      storage.close()
      rmSync(root, { recursive: true })
    },
  }
}

function columnOf(field: string): string {
  return field === 'payload' ? 'payload_json' : field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function valueOf([field, value]: readonly [string, unknown]): unknown {
  if (typeof value === 'boolean') return Number(value)
  return field.endsWith('Digest') && typeof value === 'string' ? Buffer.from(value, 'hex') : value
}
