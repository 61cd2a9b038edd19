import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { temporaryRoot } from '../../test/temporary-root.ts'
import { idsOf, wholeRun } from '../conformance/samples.ts'
import { OPERATIONAL_STATE_DATABASE_NAME } from '../operational-state-store.ts'
import { openSqlite } from './open-sqlite.ts'

test('verify finds every head without events, however many there are', async (t) => {
  const root = temporaryRoot(t)
  const storage = openSqlite(root)
  await wholeRun(storage, idsOf('s', 'i'))
  const database = new Database(join(root, OPERATIONAL_STATE_DATABASE_NAME))
  database.exec(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
    INSERT INTO runtime_heads (invocation_id, session_id, run_id, turn_id, epoch, head, ledger_digest_seq)
    SELECT 'head ' || i, iif(i % 5 = 0, 's', 't'), 'run ' || i, 'turn', 1, 1, 1 FROM n`)
  database.close()
  const ofStore = await storage.events.verifyStore()
  assert.deepEqual([ofStore.problems.length, ofStore.omittedProblems], [1000, 1500])
  const { problems } = await storage.events.verifySession('s')
  assert.deepEqual([problems.length, new Set(problems.map(({ sessionId }) => sessionId))], [500, new Set(['s'])])
  storage.close()
})
