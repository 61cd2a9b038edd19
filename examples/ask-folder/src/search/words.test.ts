import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { likeness, stem, wordsOf } from './words.ts'

describe('wordsOf', () => {
  test('splits identifiers, numbers and scripts', () => {
    const text = 'maxRetries HTTPServer MAX_SIZE worker-3 v2.1 don’t Zürich 東京'
    const expected = 'max retries http server max size worker 3 v 2 1 don t zürich 東京'
    assert.deepEqual(wordsOf(text), expected.split(' '))
  })
})

describe('stem', () => {
  test('makes one word of the forms of a word', () => {
    for (const forms of [
      'retry retries retried retrying',
      'stop stops stopped stopping',
      'cache caches cached caching',
      'rest rests rested resting',
    ])
      assert.equal(new Set(forms.split(' ').map(stem)).size, 1, forms)
  })

  test('leaves words alone that only look like forms', () => {
    for (const word of ['status', 'class', 'need', 'string', 'speed', 'analysis', 'add'])
      assert.match(word, new RegExp(`^${stem(word)}`))
    assert.equal(stem('status'), 'status')
    assert.equal(stem('need'), 'need')
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
