import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { likeness, wordsOf } from './words.ts'

describe('wordsOf', () => {
  test('splits identifiers, numbers and scripts', () => {
    const text = 'maxRetries HTTPServer MAX_SIZE worker-3 v2.1 don’t Zürich 東京'
    const expected = 'max retries http server max size worker 3 v 2 1 don t zürich 東京'
    assert.deepEqual(wordsOf(text), expected.split(' '))
  })
})

describe('likeness', () => {
  test('is higher the more of both words is the same', () => {
    const [same, relative, short] = [
      likeness('deliver', 'deliver'),
      likeness('deliver', 'delivery'),
      likeness('max', 'maximum'),
    ]
    assert.ok(same === 1 && relative < same && short < relative && short > 0)
    for (const [one, other] of [
      ['not', 'notebook'],
      ['contract', 'control'],
      ['', 'a'],
    ] as const)
      assert.equal(likeness(one, other), 0, `${one} ${other}`)
  })
})
