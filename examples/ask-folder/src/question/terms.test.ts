import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Term, termsOf } from './terms.ts'
import { stem, wordsOf } from './words.ts'

const words = (question: string) => termsOf(question).map((term) => term.word)
const term = (question: string, word: string): Term | undefined => termsOf(question).find((one) => one.word === word)

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

describe('termsOf', () => {
  test('drops what carries no subject', () => {
    assert.deepEqual(words('How long is the timeout of a request, please?'), ['timeout', 'request'])
    assert.deepEqual(words('What is it?'), [])
  })

  test('looks for an identifier as a whole and for its parts as help', () => {
    assert.deepEqual(termsOf('What is maxRetries in the worker?').slice(0, 3), [
      { word: 'max-retries', weight: 1.5, needed: true },
      { word: 'max', weight: 0.3, needed: false },
      { word: 'retries', weight: 0.3, needed: false },
    ])
    assert.ok(term('Which files are read-only?', 'only') === undefined)
    assert.equal(term('What happened at 10:42?', '10-42')?.needed, true)
  })

  test('lets names and what narrows the subject weigh more', () => {
    const question = 'What did Ines decide for the garden wall'
    const [name, verb, place] = ['Ines', 'decide', 'garden'].map((word) => term(question, word.toLowerCase()))
    assert.ok((name?.weight ?? 0) > (verb?.weight ?? 0) && (place?.weight ?? 0) > (verb?.weight ?? 0))
  })

  test('does not need the word that is asked for, unless there are no others', () => {
    assert.equal(term('Which city did the team visit in spring?', 'city')?.needed, false)
    assert.equal(term('Which city?', 'city')?.needed, true)
  })

  test('names each word once and takes any text', () => {
    assert.deepEqual(words('port port PORT'), ['port'])
    for (const text of ['', '???', '🙂 \0 \ud800', 'x'.repeat(10_000)]) assert.ok(Array.isArray(termsOf(text)))
  })
})
