import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPostgresSchema } from '../../../test/postgres-schema.ts'
import { createPostgresAgentEventStore } from './agent-event-store.ts'
import * as statements from './statements.ts'

const values: Readonly<Record<keyof typeof statements, readonly unknown[]>> = {
  selectLog: ['r5'],
  selectRows: ['r5', 0, 100, 1_048_576],
  selectWriteId: ['r5', 1],
  selectFinished: [50_000, -(2 ** 53 - 1), '', 101],
  selectOpen: [50_000, -(2 ** 53 - 1), '', 101],
  insertLog: ['r5', 't', 1, null, '{}'],
  upsertLog: ['r5', 't', 1, null, '{}'],
  insertRow: ['r5', 2, 10, false, null, null, '{}'],
  updateClaim: ['r5', 1],
  trimLog: ['r5', 1],
  deleteLog: ['r5'],
}

test('each statement is answered by an index, and a listing without sorting', async (t) => {
  const sql = (await createPostgresSchema()).connect()
  t.after(() => sql.close())
  await createPostgresAgentEventStore(sql)
  await sql.query(`
    INSERT INTO daybook_agent_event_logs (run_id, thread_id, opened_at, finished_at, last_seq, details)
    SELECT 'r' || n, 't' || n / 10, n, CASE WHEN n % 2 = 0 THEN n END, 1, '{}' FROM generate_series(1, 5000) AS n`)
  await sql.query("INSERT INTO daybook_agent_events SELECT number, 1, NULL, '{}' FROM daybook_agent_event_logs")
  await sql.query('ANALYZE')
  for (const [name, statement] of Object.entries(statements)) {
    const { rows } = await sql.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN ${statement}`,
      values[name as keyof typeof statements],
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    assert.doesNotMatch(plan, /Seq Scan/, plan)
    if (name.startsWith('selectFinished') || name.startsWith('selectOpen')) {
      assert.match(plan, /Index Scan using daybook_agent_event_logs_(finished|open)/, plan)
      assert.match(plan, /Index Cond: .*ROW\(/, plan)
      assert.doesNotMatch(plan, /Sort/, plan)
    }
  }
})
