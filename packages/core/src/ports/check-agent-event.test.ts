import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeAgentEventRow, encodeAgentEventRowOnce } from './check-agent-event.ts'

const row = { seq: 1, event: { type: 'CUSTOM', name: 'n', value: 'first' }, writeId: 'w', finishedAt: 5 }

test('a row that is encoded once is the same row, and stays what it said then', () => {
  const event = { ...row.event }
  const once = encodeAgentEventRowOnce({ ...row, event })
  assert.deepEqual({ ...once }, row)
  event.value = 'second'
  assert.deepEqual(encodeAgentEventRow(once), encodeAgentEventRow(row))
  assert.equal(encodeAgentEventRow({ ...once }).json, '{"type":"CUSTOM","name":"n","value":"second"}')
})

test('a row that no store takes is not encoded once either', () => {
  assert.throws(() => encodeAgentEventRowOnce({ ...row, seq: 0 }), { code: 'INVALID_INPUT' })
  assert.throws(() => encodeAgentEventRowOnce({ ...row, event: { type: '' } }), { code: 'INVALID_EVENT' })
})
