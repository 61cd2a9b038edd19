import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { quote } from './quote.ts'

const lines = { path: 'a.txt', from: 3, of: 9, lines: ['one', '', 'three', 'four', 'five'] }

describe('quote', () => {
  test('marks the line that a place is about, and shows the nearest of the others', () => {
    assert.equal(quote({ ...lines, line: 5, text: 'three' }, 2), '> a.txt:5: three\n  a.txt:6: four')
  })

  test('prefers where names get their value to the lines around', () => {
    const definitions = [{ line: 1, text: 'size = 3' }]
    assert.equal(quote({ ...lines, line: 5, text: 'three', definitions }, 2), '  a.txt:1: size = 3\n> a.txt:5: three')
  })

  test('shows lines without a place from the first', () => {
    assert.equal(quote(lines, 2), '  a.txt:3: one\n  a.txt:5: three')
  })
})
