import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { idsOf, sessionRecord, wholeRun } from '../src/conformance/samples.ts'
import { OPERATIONAL_STATE_DATABASE_NAME } from '../src/operational-state-store.ts'
import { openSqlite } from '../src/sqlite/open-sqlite.ts'
import { temporaryRoot } from './temporary-root.ts'

const setRevision = (change: string, where: string) =>
  `UPDATE session_revisions SET session_json = ${change} WHERE session_id = 's' AND revision ${where}`

/**
 * What is done to a ledger where session `s` has three revisions and an invocation that was opened with the first, and
 * `b` branches off from its last event; and the codes that verify gives, by session.
 */
const damages: Record<string, readonly [sql: string, problems: Readonly<Record<string, readonly string[]>>]> = {
  'no damage': ['SELECT 1', {}],
  'a revision that is missing': [
    "DELETE FROM session_revisions WHERE session_id = 's' AND revision = 2",
    { s: ['revision_differs'] },
  ],
  'no revision at all': ["DELETE FROM session_revisions WHERE session_id = 's'", { s: ['revision_differs'] }],
  'a last revision that is missing': [
    "DELETE FROM session_revisions WHERE session_id = 's' AND revision = 3",
    { s: ['revision_differs'] },
  ],
  'a revision that cannot be read': [setRevision("'{'", '= 2'), { s: ['revision_differs'] }],
  'a revision of another session': [
    setRevision("json_set(session_json, '$.id', 't')", '= 2'),
    { s: ['revision_differs'] },
  ],
  'a session that is not as it was changed': [
    "UPDATE sessions SET cwd = '/x' WHERE id = 's'",
    { s: ['revision_differs'] },
  ],
  'a revision that an invocation did not run with': [
    setRevision("json_set(session_json, '$.permissionMode', 'bypass', '$.model', 'x')", '= 1'),
    { s: ['opening_differs'] },
  ],
  'a listing that lacks the session': [
    "DELETE FROM session_listings WHERE session_id = 's' AND archived = 'any'",
    { s: ['index_differs'] },
  ],
  'a listing that the session does not belong to': [
    "UPDATE session_listings SET label = 'other' WHERE session_id = 's' AND label <> ''",
    { s: ['index_differs'] },
  ],
  'a parent that is missing': [
    "DELETE FROM sessions WHERE id = 's'; DELETE FROM runtime_events; DELETE FROM runtime_heads; DELETE FROM agent_runs",
    { b: ['parent_missing'] },
  ],
  'a parent of another tenant': [
    `UPDATE sessions SET tenant = 'acme' WHERE id = 's'; UPDATE session_listings SET tenant = 'acme' WHERE session_id = 's';
    ${setRevision("json_set(session_json, '$.tenant', 'acme')", '> 0')}`,
    { b: ['parent_missing'] },
  ],
  'a branch that begins behind its parent': [
    `UPDATE sessions SET parent_session_seq = 4 WHERE id = 'b';
    UPDATE session_revisions SET session_json = json_set(session_json, '$.parentSessionSeq', 4) WHERE session_id = 'b'`,
    { b: ['parent_missing'] },
  ],
}

for (const [what, [sql, expected]] of Object.entries(damages)) {
  test(`verify tells of ${what}`, async (t) => {
    const root = temporaryRoot(t)
    const storage = openSqlite(root, { durability: 'normal' })
    t.after(() => storage.close())
    await wholeRun(storage, idsOf('s', 'i'))
    await storage.sessions.create(sessionRecord('b', { parentSessionId: 's', parentSessionSeq: 3 }))
    for (const changes of [{ model: 'x' }, { labels: ['label'] }]) {
      await storage.sessions.update({ sessionId: 's', scope: { tenant: null }, changes })
    }
    const database = new Database(join(root, OPERATIONAL_STATE_DATABASE_NAME))
    database.exec(sql)
    database.close()
    const found: Record<string, string[]> = {}
    for (const { sessionId, code } of (await storage.events.verifyStore()).problems) {
      const codes = (found[String(sessionId)] ??= [])
      if (!codes.includes(code)) codes.push(code)
    }
    assert.deepEqual(found, expected)
  })
}
