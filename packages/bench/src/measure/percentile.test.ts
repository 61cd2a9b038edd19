import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { percentile } from './percentile.ts'

describe('percentile', () => {
  test('is a value that the share of the values does not exceed', () => {
    const values = Array.from({ length: 200 }, (_, index) => 200 - index)
    assert.deepEqual([percentile(values, 0.5), percentile(values, 0.99), percentile(values, 1)], [100, 198, 200])
    assert.equal(percentile([7], 0.01), 7)
  })
  test('refuses an empty list', () => {
    assert.throws(() => percentile([], 0.5), RangeError)
  })
})
