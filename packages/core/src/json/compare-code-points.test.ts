import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { compareCodePoints } from './compare-code-points.ts'

describe('compareCodePoints', () => {
  test('puts U+FFFD before what lies beyond the BMP, where `<` does not', () => {
    const [last, beyond] = ['\ufffd', '\u{10000}']
    assert.ok(compareCodePoints(last, beyond) < 0)
    assert.ok(last > beyond)
  })

  test('orders as the bytes of UTF-8 do', () => {
    const characters = fc.constantFrom('a', 'B', 'é', '\ud7ff', '\ue000', '\ufffd', '\u{10000}', '\u{10ffff}', '\0')
    const text = fc.oneof(fc.string({ unit: characters, maxLength: 6 }), fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(text, text, (a, b) => {
        assert.equal(Math.sign(compareCodePoints(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)))
      }),
      { numRuns: 2000 },
    )
  })
})
