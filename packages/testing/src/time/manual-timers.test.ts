import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ManualTimers } from './manual-timers.ts'

describe('ManualTimers', () => {
  test('calls back what is due, soonest first, then in the order of starting', () => {
    const timers = new ManualTimers()
    const called: string[] = []
    for (const [name, ms] of [
      ['c', 20],
      ['a', 10],
      ['b', 10],
      ['d', 21],
    ] as const) {
      timers.start(() => called.push(name), ms)
    }
    timers.advance(9)
    assert.deepEqual([called, timers.waiting], [[], [1, 1, 11, 12]])
    timers.advance(11)
    assert.deepEqual([called, timers.waiting], [['a', 'b', 'c'], [1]])
  })

  test('calls back no timer that was cancelled, also by a callback that ran just before', () => {
    const timers = new ManualTimers()
    let called = 0
    timers.start(() => cancel(), 1)
    const cancel = timers.start(() => called++, 1)
    timers.advance(1)
    assert.deepEqual([called, timers.waiting], [0, []])
  })

  test('runs a timer that starts itself again as often as time allows', () => {
    const timers = new ManualTimers()
    let beats = 0
    const beat = (): void => {
      beats += 1
      timers.start(beat, 10)
    }
    timers.start(beat, 10)
    timers.advance(35)
    assert.deepEqual([beats, timers.waiting], [3, [5]])
  })

  test('waits for timers to be started', async () => {
    const timers = new ManualTimers()
    const waited = timers.untilWaiting(2)
    timers.start(() => {}, 1)
    await Promise.resolve()
    timers.start(() => {}, 1)
    await waited
    await timers.untilWaiting()
  })
})
