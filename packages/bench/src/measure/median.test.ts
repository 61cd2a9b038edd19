import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { median } from './median.ts'

describe('median', () => {
  test('is the middle value of an odd count, in any order', () => {
    assert.equal(median([9, 1, 5]), 5)
  })
  test('is the mean of the two middle values of an even count', () => {
    assert.equal(median([4, 1, 3, 100]), 3.5)
  })
  test('refuses an empty list', () => {
    assert.throws(() => median([]), RangeError)
  })
})
