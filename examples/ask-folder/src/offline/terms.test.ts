import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { termsOf } from './terms.ts'

const words = (question: string): string[] => [...termsOf(question).keys()]

describe('termsOf', () => {
  test('drops what carries no subject', () => {
    assert.deepEqual(words('How long is the timeout of a request, please?'), ['timeout', 'request'])
    assert.deepEqual(words('What is it?'), [])
    assert.deepEqual(words('Why was HERE rejected?'), ['HERE', 'rejected'])
  })

  test('takes dates and joined words as one', () => {
    assert.deepEqual(words('What was maxRetries of worker-3 at 10:42 on the 12th of March?'), [
      'maxRetries',
      'worker-3',
      '10:42',
      '12th of March',
    ])
  })

  test('lets what a question is about weigh more', () => {
    const terms = termsOf('What did Ines decide for the wall?')
    assert.deepEqual(Object.fromEntries(terms), { Ines: 1.5, decide: 1, wall: 1.5 })
  })

  test('names each word once and takes any text', () => {
    assert.deepEqual(words('port port'), ['port'])
    for (const text of ['', '???', '🙂 \0 \ud800', 'x'.repeat(10_000)]) assert.ok(words(text).length <= 1)
  })
})
