import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkMessage, type TurnMessage } from './turn-message.ts'

const check = (message: TurnMessage) => checkMessage(message, () => 'new-id')

describe('checkMessage', () => {
  test('names a turn without an id', () => {
    assert.equal(check({ text: 'hi' }).turnId, 'new-id')
    assert.equal(check({ text: 'hi', turnId: 'mine' }).turnId, 'mine')
  })

  test('digests the text alone, the same every time', () => {
    const { inputDigest } = check({ text: 'hi' })
    assert.match(inputDigest, /^[0-9a-f]{64}$/)
    assert.equal(check({ text: 'hi', turnId: 'another' }).inputDigest, inputDigest)
    assert.notEqual(check({ text: 'hi ' }).inputDigest, inputDigest)
  })

  test('refuses a text that is none, empty, blank or not well-formed', () => {
    for (const text of [undefined, 7, '', ' \n\t', 'a\ud800b']) {
      assert.throws(
        () => check({ text: text as string }),
        { code: 'INVALID_INPUT', field: 'text' },
        JSON.stringify(text),
      )
    }
  })

  test('refuses what is no message', () => {
    for (const message of [undefined, null, 'hi'])
      assert.throws(() => check(message as never), { code: 'INVALID_INPUT', field: 'message' }, String(message))
  })

  test('refuses 5 MB of text, and what would not fit once it is written as JSON', () => {
    for (const text of ['x'.repeat(5_000_000), 'é'.repeat(600_000), '\u0001'.repeat(200_000)]) {
      assert.throws(() => check({ text }), { code: 'PAYLOAD_TOO_LARGE', field: 'text' })
    }
    check({ text: 'x'.repeat(1_000_000) })
  })

  test('refuses a turn id that is none, empty, too long, not well-formed or holds NUL', () => {
    for (const turnId of [7, '', 'x'.repeat(201), '\ud800', 'a\0b']) {
      assert.throws(() => check({ text: 'hi', turnId: turnId as string }), { code: 'INVALID_ID', field: 'turnId' })
    }
  })
})
