import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { alike, wordsOf } from './words.ts'

describe('wordsOf', () => {
  test('splits identifiers, numbers and scripts', () => {
    const text = 'maxRetries HTTPServer MAX_SIZE worker-3 v2.1 don’t Zürich 東京'
    const expected = 'max retries http server max size worker 3 v 2 1 don t zürich 東京'
    assert.deepEqual(wordsOf(text), expected.split(' '))
  })
})

describe('alike', () => {
  test('takes words of which most is the same for one', () => {
    for (const [one, other] of [
      ['deliver', 'deliver'],
      ['deliver', 'delivery'],
      ['licenc', 'licens'],
      ['conf', 'configur'],
    ] as const)
      assert.ok(alike(one, other) && alike(other, one), `${one} ${other}`)
    for (const [one, other] of [
      ['not', 'notebook'],
      ['doc', 'docker'],
      ['contract', 'control'],
      ['', 'a'],
    ] as const)
      assert.ok(!alike(one, other), `${one} ${other}`)
  })
})
