import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fakeClock } from './fake-clock.ts'

describe('fakeClock', () => {
  test('stands still, advances and jumps back', () => {
    const clock = fakeClock(1000)
    assert.deepEqual([clock.now(), clock.now()], [1000, 1000])
    clock.advance(5)
    assert.equal(clock.now(), 1005)
    clock.set(3)
    assert.equal(clock.now(), 3)
  })
})
