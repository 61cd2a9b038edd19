import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { loadDriver } from '../driver.ts'
import { markRunId, unmarkRunId } from './marked-run-id.ts'

test('what was marked is as it was once it is unmarked, whatever the id and the JSON', () => {
  const database = new (loadDriver())(':memory:')
  const unmark = database.prepare<[string, string], string>(`SELECT ${unmarkRunId('?', '?')}`).pluck()
  const character = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((one) => one !== '\0')
  const runId = fc.oneof(
    fc.string({ unit: character, minLength: 1 }),
    fc.constantFrom('$&', '"', '\\', '\u0001', 'u0001'),
  )
  fc.assert(
    fc.property(runId, fc.json(), fc.string({ unit: 'binary' }), (id, json, text) => {
      const given = JSON.stringify({ id, [id]: JSON.parse(json), text: `${id}:text:${text}${id}` })
      assert.equal(unmark.get(markRunId(given, id), id), given)
    }),
  )
  database.close()
})

test('the id takes one character wherever it stands', () => {
  assert.equal(markRunId('{"messageId":"run-1:text:m"}', 'run-1').length, '{"messageId":"_:text:m"}'.length)
})
