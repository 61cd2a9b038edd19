import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { utf8Length } from './utf8-length.ts'

test('utf8Length counts the bytes that the text is stored as', () => {
  const units = fc.constantFrom(
    'a',
    '\u007f',
    '\u0080',
    '\u07ff',
    '\u0800',
    '\ud7ff',
    '\ud800',
    '\udbff',
    '\udc00',
    '\udfff',
    '\ue000',
    '\uffff',
  )
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: units }), fc.string({ unit: 'binary' })), (text) => {
      assert.equal(utf8Length(text), Buffer.byteLength(text))
    }),
    { numRuns: 2000 },
  )
})
