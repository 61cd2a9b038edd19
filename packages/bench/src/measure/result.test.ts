import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { meetsTarget } from './result.ts'

describe('meetsTarget', () => {
  test('holds a figure against the bound of its target', () => {
    assert.equal(meetsTarget({ name: 'ratio', value: 0.6, unit: '×', target: { atLeast: 0.6 } }), true)
    assert.equal(meetsTarget({ name: 'ratio', value: 0.59, unit: '×', target: { atLeast: 0.6 } }), false)
    assert.equal(meetsTarget({ name: 'delay', value: 21, unit: 'ms', target: { atMost: 20 } }), false)
  })
  test('says nothing of a figure without a target', () => {
    assert.equal(meetsTarget({ name: 'fsync', value: 1, unit: 'ms' }), undefined)
  })
})
