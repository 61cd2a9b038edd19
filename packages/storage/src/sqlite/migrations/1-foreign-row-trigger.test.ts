import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { isTerminalEvent, type RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { firstSchema } from './1-first-schema.ts'

const row = {
  event_id: 'e',
  session_id: 's',
  invocation_id: 'i',
  run_id: 'r',
  turn_id: 't',
  event_seq: 1,
  event_kind: 'text',
  payload_json: '{}' as string | Buffer,
  committed_at: 9_999,
}

function openLedger() {
  const database = new Database(':memory:')
  database.exec(firstSchema.sql)
  const names = Object.keys(row)
  const insert = (or: string) =>
    database.prepare(
      `INSERT ${or} INTO runtime_events (${names.join(', ')}) VALUES (${names.map((name) => `:${name}`).join(', ')})`,
    )
  const plain = insert('')
  return {
    database,
    insert: (changes: Partial<typeof row> = {}) => plain.run({ ...row, ...changes }),
    insertOr: (or: string, changes: Partial<typeof row> = {}) => insert(or).run({ ...row, ...changes }),
    rows: () =>
      database.prepare('SELECT event_id, event_seq, session_seq, opened_at, terminal FROM runtime_events').all(),
    head: (invocationId = 'i') =>
      database.prepare('SELECT * FROM runtime_heads WHERE invocation_id = ?').get(invocationId) as Record<
        string,
        unknown
      >,
  }
}

describe('the trigger on foreign rows', () => {
  test('decides as JavaScript does, whatever the payload is', () => {
    const { database, insert } = openLedger()
    const filled = database.prepare<[], { opened_at: number | null; terminal: number | null }>(
      'SELECT opened_at, terminal FROM runtime_events',
    )
    const clear = database.transaction(() =>
      ['runtime_events', 'runtime_heads'].forEach((table) => database.exec(`DELETE FROM ${table}`)),
    )
    fc.assert(
      fc.property(payload, fc.integer({ min: 1, max: 2 }), (payload_json, event_seq) => {
        clear()
        insert({ payload_json, event_seq })
        assert.deepEqual({ ...filled.get() }, decided(payload_json, event_seq))
      }),
      { numRuns: 2_000 },
    )
  })

  test('takes a payload that SQLite cannot read for an event that decides nothing', () => {
    const { insert, rows, database } = openLedger()
    const terminal = '{"status":"completed"}'
    const payloads = [
      '',
      '{',
      'null',
      '[]',
      '5',
      `${terminal}x`,
      Buffer.from(terminal),
      `{"status":${'['.repeat(2_000)}${']'.repeat(2_000)}}`,
    ]
    payloads.forEach((payload_json, index) => insert({ payload_json, event_seq: index + 1, event_id: `e${index}` }))
    assert.equal(
      database.prepare('SELECT count(*) FROM runtime_events WHERE terminal IS NULL').pluck().get(),
      payloads.length,
    )
    assert.equal(rows().length, payloads.length)
  })

  test('numbers the rows of each session and keeps the highest seq and the lowest terminal of each invocation', () => {
    const { insert, rows, head } = openLedger()
    const ended = '{"status":"completed"}'
    insert({ event_seq: 2, event_id: 'a' })
    insert({ event_seq: 5, event_id: 'b', payload_json: ended })
    insert({ event_seq: 3, event_id: 'c', session_id: 'other' })
    insert({ event_seq: 4, event_id: 'd', payload_json: ended })
    insert({ event_seq: 1, event_id: 'e' })
    const columns = { opened_at: null, terminal: null }
    assert.deepEqual(rows(), [
      { event_id: 'a', event_seq: 2, session_seq: 1, ...columns },
      { event_id: 'b', event_seq: 5, session_seq: 2, ...columns, terminal: 1 },
      { event_id: 'c', event_seq: 3, session_seq: 1, ...columns },
      { event_id: 'd', event_seq: 4, session_seq: 3, ...columns, terminal: 1 },
      { event_id: 'e', event_seq: 1, session_seq: 4, ...columns },
    ])
    assert.deepEqual(head(), {
      invocation_id: 'i',
      session_id: 's',
      run_id: 'r',
      turn_id: 't',
      epoch: 0,
      head: 5,
      terminal_seq: 4,
      ledger_digest: null,
      ledger_digest_seq: 0,
    })
  })

  test('refuses nothing but what the columns refuse', () => {
    const { insert, insertOr, rows, head } = openLedger()
    insert()
    const notSeqs = [0, 1.5, 'two'].map((event_seq) => ({ event_id: 'other', event_seq: event_seq as number }))
    for (const changes of [{ event_id: 'other' }, { event_seq: 2 }, ...notSeqs]) {
      assert.throws(() => insert(changes), { message: /constraint failed/ })
    }
    assert.equal(insertOr('OR IGNORE', { event_seq: 2 }).changes, 0)
    assert.equal(
      insertOr('OR REPLACE', { event_seq: 2, payload_json: '{"actions":{"endInvocation":true}}' }).changes,
      1,
    )
    assert.equal(rows().length, 1)
    assert.deepEqual([head()['head'], head()['terminal_seq']], [2, 2])
  })

  test('leaves rows alone that come with their session seq', () => {
    const { database, rows, head } = openLedger()
    const full = { ...row, payload_json: '{"status":"failed"}', session_seq: 7 }
    const names = Object.keys(full)
    database
      .prepare(
        `INSERT INTO runtime_events (${names.join(', ')}) VALUES (${names.map((name) => `:${name}`).join(', ')})`,
      )
      .run(full)
    assert.deepEqual(rows(), [{ event_id: 'e', event_seq: 1, session_seq: 7, opened_at: null, terminal: null }])
    assert.equal(head(), undefined)
  })
})

/** A JSON text with members that are there twice, escaped, of other types, or in white space. */
const payload: fc.Arbitrary<string> = (() => {
  const literal = fc.constantFrom('true', 'false', 'null', '0', '1', '"true"', '{}', '[]', '[true]')
  const space = fc.constantFrom('', ' ', '\n\t')
  const object = (members: Record<string, fc.Arbitrary<string>>, maxLength: number) =>
    fc
      .array(fc.oneof(...Object.entries(members).map(([key, value]) => fc.tuple(keyText(key), value))), { maxLength })
      .chain((pairs) =>
        space.map((gap) => `{${pairs.map(([key, value]) => `${gap}${key}${gap}:${gap}${value}${gap}`).join(',')}}`),
      )
  const status = fc.constantFrom(
    '"completed"',
    '"failed"',
    '"wait\\u0069ng"',
    '"Completed"',
    '"completed\\u0000"',
    '"other"',
  )
  const kind = fc.constantFrom('"invocation_opened"', '"invocation\\u005fopened"', '"text"')
  const ts = fc.oneof(
    fc.integer({ min: -5, max: 5 }).map(String),
    fc.constantFrom(
      '1e3',
      '2.0',
      '0.5',
      '-0',
      '9007199254740991',
      '9007199254740992',
      '-9007199254740991',
      '1e400',
      '99999999999999999999',
    ),
  )
  const actions = object({ endInvocation: literal, other: literal }, 2)
  const content = object({ kind: fc.oneof({ weight: 4, arbitrary: kind }, literal), text: literal }, 2)
  return object(
    {
      partial: literal,
      status: fc.oneof({ weight: 3, arbitrary: status }, literal),
      actions: fc.oneof({ weight: 3, arbitrary: actions }, literal),
      content: fc.oneof({ weight: 5, arbitrary: content }, literal),
      ts: fc.oneof({ weight: 5, arbitrary: ts }, literal),
      __proto__x: literal,
    },
    6,
  )
})()

function keyText(key: string): fc.Arbitrary<string> {
  const escaped = `"\\u${key.charCodeAt(0).toString(16).padStart(4, '0')}${key.slice(1)}"`
  return fc.constantFrom(`"${key}"`, `"${key}"`, escaped)
}

function decided(payload: string, eventSeq: number): { opened_at: number | null; terminal: number | null } {
  const event = JSON.parse(payload) as RuntimeEvent
  const opens =
    eventSeq === 1 &&
    (event.partial as boolean) !== true &&
    event.content?.kind === 'invocation_opened' &&
    Number.isSafeInteger(event.ts)
  return { opened_at: opens ? event.ts + 0 : null, terminal: isTerminalEvent(event) ? 1 : null }
}
