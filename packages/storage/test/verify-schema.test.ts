import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { LedgerDamagedError } from '@daybook/core'
import Database from 'better-sqlite3'
import { foreignRow, idsOf, textEvent, wholeRun } from '../src/conformance/samples.ts'
import { OPERATIONAL_STATE_DATABASE_NAME } from '../src/operational-state-store.ts'
import { openSqlite } from '../src/sqlite/open-sqlite.ts'
import { insertForeignRows } from './foreign-writer.ts'
import { temporaryRoot } from './temporary-root.ts'

const triggerWith = (body: string) =>
  `DROP TRIGGER runtime_events_foreign_row;
  CREATE TRIGGER runtime_events_foreign_row AFTER INSERT ON runtime_events WHEN NEW.session_seq IS NULL BEGIN ${body}; END`

/** What is done to the schema, and the object that verify names. */
const changes: readonly (readonly [sql: string, object: string])[] = [
  ['DROP TRIGGER runtime_events_foreign_row', 'lacks the trigger "runtime_events_foreign_row"'],
  [triggerWith('SELECT 1'), 'has another trigger "runtime_events_foreign_row"'],
  ['DROP INDEX runtime_events_session', 'lacks the index "runtime_events_session"'],
  ['DROP INDEX runtime_events_terminals', 'lacks the index "runtime_events_terminals"'],
  [
    `DROP INDEX runtime_events_session;
    CREATE INDEX runtime_events_session ON runtime_events (session_id, session_seq)`,
    'has another index "runtime_events_session"',
  ],
  ['CREATE INDEX more ON sessions (title)', 'has the index "more"'],
  [
    'CREATE TRIGGER evil BEFORE INSERT ON runtime_events WHEN NEW.event_seq = 99 BEGIN SELECT RAISE(IGNORE); END',
    'has the trigger "evil"',
  ],
  ['CREATE TABLE more (id)', 'has the table "more"'],
  ['ALTER TABLE sessions ADD COLUMN more', 'has another table "sessions"'],
]

for (const [sql, object] of changes) {
  test(`verify says that the schema ${object}`, async (context) => {
    const root = await damaged(context, sql)
    const { ok, problems } = await verify(context, root)
    assert.equal(ok, false)
    assert.deepEqual(
      problems.map(({ code, sessionId }) => [code, sessionId]),
      [['storage_damaged', null]],
    )
    assert.ok(problems[0]?.message.includes(object), problems[0]?.message)
  })
}

test('verify does not call a ledger verified whose schema is that of newer code, or pretends to be', async (context) => {
  const root = await damaged(context, 'DROP TRIGGER runtime_events_foreign_row; UPDATE meta SET schema_version = 1000')
  const { ok, problems, events } = await verify(context, root)
  assert.deepEqual([ok, problems.map(({ code }) => code), events], [false, ['schema_newer'], 3])
  assert.match(problems[0]!.message, /version 1000, of newer code/)
})

const unusable: readonly (readonly [sql: string, object: string])[] = [
  ['DROP TABLE sessions', 'lacks the table "sessions"'],
  ['DROP INDEX runtime_events_id', 'lacks the index "runtime_events_id"'],
  ['ALTER TABLE runtime_heads RENAME COLUMN epoch TO era', 'has another table "runtime_heads"'],
  [triggerWith('SELECT OEW.rowid'), 'has another trigger "runtime_events_foreign_row"'],
]

for (const [sql, object] of unusable) {
  test(`opening a ledger whose schema ${object} says so, also to read alone`, async (context) => {
    const root = await damaged(context, sql)
    for (const readOnly of [false, true]) {
      assert.throws(
        () => openSqlite(root, { readOnly }),
        (error) => error instanceof LedgerDamagedError && error.sessionId === null && error.message.includes(object),
      )
    }
  })
}

test('a ledger whose versions have another name is refused', async (context) => {
  const root = await damaged(context, 'ALTER TABLE meta RENAME COLUMN schema_version TO version')
  for (const readOnly of [false, true]) assert.throws(() => openSqlite(root, { readOnly }), { code: 'NOT_A_LEDGER' })
})

for (const change of ["settings = '{'", "labels = '5'", "settings = x'00'", "revision = 'z'"]) {
  test(`a session with ${change} is damaged to those who read it and unreadable to verify`, async (context) => {
    const root = await damaged(context, `UPDATE sessions SET ${change} WHERE id = 's'`)
    const storage = openSqlite(root)
    context.after(() => storage.close())
    const scope = { tenant: null }
    const expected = { code: 'LEDGER_DAMAGED', sessionId: 's' }
    await assert.rejects(storage.sessions.read('s', scope), expected)
    await assert.rejects(storage.sessions.list({ scope }), expected)
    for (const report of [await storage.events.verifySession('s'), await storage.events.verifyStore()]) {
      assert.deepEqual(
        report.problems.map(({ code, sessionId }) => [code, sessionId]),
        [['unreadable', 's']],
      )
    }
  })
}

for (const digest of [
  'lower(hex(payload_digest))',
  'CAST(lower(hex(payload_digest)) AS BLOB)',
  'substr(payload_digest, 2)',
  '5',
]) {
  test(`verify takes the payload digest ${digest} for a wrong one`, async (context) => {
    const root = await damaged(context, `UPDATE runtime_events SET payload_digest = ${digest} WHERE event_seq = 2`)
    const { problems } = await verify(context, root)
    assert.ok(
      problems.some(({ code, eventSeq }) => code === 'payload_digest' && eventSeq === 2),
      JSON.stringify(problems),
    )
  })
}

test('verify covers rows whose ids are empty', async (context) => {
  const root = await damaged(
    context,
    `INSERT INTO runtime_heads (invocation_id, session_id, run_id, turn_id, epoch, head, ledger_digest_seq)
    VALUES ('', 't', 'r', 'turn', 1, 1, 1)`,
  )
  const ids = { ...idsOf('s', 'j'), sessionId: '' }
  insertForeignRows(root, [foreignRow(textEvent(ids, 'alone'), 1)])
  const { problems, sessions } = await verify(context, root)
  assert.equal(sessions, 2)
  assert.ok(problems.some(({ sessionId, invocationId }) => sessionId === '' && invocationId === 'j'))
  assert.ok(problems.some(({ code, invocationId }) => code === 'head_differs' && invocationId === ''))
})

async function damaged(context: TestContext, sql: string): Promise<string> {
  const root = temporaryRoot(context)
  const storage = openSqlite(root, { durability: 'normal' })
  await wholeRun(storage, idsOf('s', 'i'))
  storage.close()
  const database = new Database(join(root, OPERATIONAL_STATE_DATABASE_NAME))
  database.exec(sql)
  database.close()
  return root
}

async function verify(context: TestContext, root: string) {
  const storage = openSqlite(root, { durability: 'normal' })
  context.after(() => storage.close())
  return storage.events.verifyStore()
}
