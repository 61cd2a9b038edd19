import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { foldText, searchWords } from './words.ts'

test('words are runs of letters and digits, each once, in the order of the text', () => {
  const texts: Record<string, readonly string[]> = {
    'one two, one-three_4!': ['one', 'two', 'three', '4'],
    'Ünïcödé straße STRASSE': ['unicode', 'strasse'],
    'ΟΔΟΣ οδος Οδοσ': ['οδοσ'],
    'ﬁne ４２ ½': ['fine', '42', '1', '2'],
    '東京タワー and ไทย': ['東', '京', 'タ', 'ワ', 'ー', 'and', 'ไ', 'ท', 'ย'],
    'İstanbul \ud800x': ['istanbul', 'x'],
    ' .,\n': [],
  }
  for (const [text, words] of Object.entries(texts)) assert.deepEqual([...searchWords(text)], words, text)
})

test('a long run counts with its first 64 characters, and none of them is cut', () => {
  assert.deepEqual([...searchWords('a'.repeat(65))], ['a'.repeat(64)])
  const [word] = searchWords(`${'a'.repeat(63)}\u{10400}`)
  assert.equal(word, 'a'.repeat(63))
})

test('a text folds as its parts do, and words are themselves what they consist of', () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom('ß', 'ς', ' ', 'İ', 'ı', 'Σ', 'é', 'ﬁ', '½', '東', 'ᾳ'),
      fc.string({ unit: 'binary', maxLength: 1 }),
    ),
  })
  fc.assert(
    fc.property(text, text, (a, b) => {
      assert.equal(foldText(a + b), foldText(a) + foldText(b))
      for (const word of searchWords(a + b)) {
        assert.deepEqual([...searchWords(word)], [word])
        assert.ok(word.isWellFormed() && word.length > 0 && word.length <= 64)
      }
    }),
    { numRuns: 2_000 },
  )
})
