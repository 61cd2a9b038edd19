import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkSearch, type SearchWords } from './check-search.ts'
import { matchesSearch, searchExcerpt } from './match.ts'

function wordsOf(text: string): SearchWords {
  return checkSearch({ scope: { tenant: null }, text }).words
}

test('all words occur, the last one as a word or the beginning of one', () => {
  const text = 'The quick brown fox: straße'
  for (const query of ['quick', 'FOX the', 'brown qui', 'strasse', 'the q']) {
    assert.ok(matchesSearch(wordsOf(query), text), query)
  }
  for (const query of ['qui brown', 'quick wolf', 'uick', 'quicker']) {
    assert.ok(!matchesSearch(wordsOf(query), text), query)
  }
})

test('an excerpt surrounds the first match and says where the text goes on', () => {
  const text = `${'é '.repeat(500)}here ${'ß '.repeat(500)}`
  const excerpt = searchExcerpt(wordsOf('her'), text)
  assert.match(excerpt, /^….*é here ß.*…$/)
  assert.ok(excerpt.length <= 202)
  assert.equal(searchExcerpt(wordsOf('here'), 'is here'), 'is here')
})

test('an excerpt of any text has the match and is well-formed', () => {
  const filler = fc.string({ unit: 'grapheme', maxLength: 300 }).map((text) => `${text} `)
  fc.assert(
    fc.property(filler, filler, (before, behind) => {
      const text = `${before}needle7${behind}`
      const excerpt = searchExcerpt(wordsOf('needle7'), text)
      assert.ok(excerpt.includes('needle7'))
      assert.ok(excerpt.isWellFormed() && excerpt.length <= 202)
    }),
  )
})

test('a query that no search can have is refused, and its field named', () => {
  const scope = { tenant: null }
  const refused: readonly (readonly [field: string, query: object])[] = [
    ['scope', { text: 'a' }],
    ['text', { scope }],
    ['text', { scope, text: '' }],
    ['text', { scope, text: '… !' }],
    ['text', { scope, text: 'a'.repeat(1001) }],
    ['text', { scope, text: Array.from({ length: 33 }, (_, index) => `w${index}`).join(' ') }],
    ...[0, 101, 1.5, '5'].map((limit) => ['limit', { scope, text: 'a', limit }] as const),
    ...['', 'title:', 'said:-1', 'x:1', 5, null].map((after) => ['after', { scope, text: 'a', after }] as const),
  ]
  for (const [field, query] of refused) {
    assert.throws(() => checkSearch(query as never), { code: 'INVALID_INPUT', field }, JSON.stringify(query))
  }
})
