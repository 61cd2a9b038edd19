import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { InvalidIdError } from '../errors/input-errors.ts'
import { checkId } from './id.ts'

describe('checkId', () => {
  for (const id of ['a', 'x'.repeat(200), '\u{1f600}'.repeat(50), 'é'.repeat(100), '__proto__', ' ']) {
    test(`takes ${JSON.stringify(id.slice(0, 12))} of ${Buffer.byteLength(id)} bytes`, () =>
      assert.equal(checkId('id', id), id))
  }

  const refusals: [value: unknown, problem: string][] = [
    ['', 'must not be empty'],
    ['a\0b', 'has a NUL character'],
    ['\ud800', 'has a lone surrogate'],
    ['x'.repeat(201), 'has more than 200 bytes'],
    ['é'.repeat(100) + 'x', 'has more than 200 bytes'],
    ['\u{1f600}'.repeat(51), 'has more than 200 bytes'],
    [7, 'must be a string'],
    [undefined, 'must be a string'],
    [new String('a'), 'must be a string'],
  ]
  for (const [value, problem] of refusals) {
    test(`refuses ${JSON.stringify(value)?.slice(0, 14)}: it ${problem}`, () => {
      assert.throws(
        () => checkId('turnId', value),
        (error: unknown) => {
          assert.ok(error instanceof InvalidIdError)
          assert.equal(error.field, 'turnId')
          assert.equal(error.message, `turnId ${problem}`)
          return true
        },
      )
    })
  }
})
