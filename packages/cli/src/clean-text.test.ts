import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { cleanLine, cleanText } from './clean-text.ts'

describe('cleanText', () => {
  test('keeps text, lines and joined emoji', () => {
    const text = 'Zürich 東京\nे 👩‍💻 e\u0301'
    assert.equal(cleanText(text), text)
  })

  test('drops what controls a terminal', () => {
    assert.equal(cleanText('a\u001b[31mb\r\n\tc\u009bd\u202ee\u2028f\u0000\u007f'), 'a[31mb\n cdef')
  })

  test('leaves no control character of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.doesNotMatch(cleanText(text), /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
        assert.ok(cleanText(text).isWellFormed())
        assert.ok(!cleanLine(text).includes('\n'))
      }),
    )
  })
})
