import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { countingIds } from './counting-ids.ts'

describe('countingIds', () => {
  test('counts from 1, each by itself', () => {
    const [newId, newRun] = [countingIds(), countingIds('run')]
    assert.deepEqual([newId(), newId(), newRun()], ['id-1', 'id-2', 'run-1'])
  })
})
