import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { termsOf } from './terms.ts'

describe('termsOf', () => {
  test('drops what carries no subject', () => {
    assert.deepEqual(termsOf('How long is the timeout of a request, please?'), ['timeout', 'request'])
    assert.deepEqual(termsOf('What is it?'), [])
    assert.deepEqual(termsOf('What happened when the boat went aground?'), ['boat', 'aground'])
    assert.deepEqual(termsOf('Why doesn’t somebody’s boat float?'), ['boat', 'float'])
  })

  test('takes dates and joined words as one', () => {
    assert.deepEqual(termsOf('What was maxRetries of worker-3 at 10:42 on the 12th of March?'), [
      'maxRetries',
      'worker-3',
      '10:42',
      '12th of March',
    ])
  })

  test('names each word once and takes any text', () => {
    assert.deepEqual(termsOf('port port'), ['port'])
    for (const text of ['', '???', '🙂 \0 \ud800', 'x'.repeat(1_000_000)]) assert.ok(termsOf(text).length <= 1)
  })

  test('leaves out negations, and what a question measures', () => {
    assert.deepEqual(termsOf("Why can't the boat rest? It won’t, I'm told"), ['boat', 'rest', 'told'])
    assert.deepEqual(termsOf('How hot is the engine?'), ['engine'])
    assert.deepEqual(termsOf('How to steer the boat? How did it start?'), ['steer', 'boat', 'start'])
  })
})
