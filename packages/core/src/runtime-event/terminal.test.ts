import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sampleEvent } from '../../test/sample-event.ts'
import { isTerminalEvent, terminalStatuses } from './terminal.ts'

describe('isTerminalEvent', () => {
  for (const status of terminalStatuses) {
    test(`takes the status ${status} as the end`, () => assert.ok(isTerminalEvent(sampleEvent({ status }))))
  }

  test('takes endInvocation as the end only when it is exactly true', () => {
    assert.ok(isTerminalEvent(sampleEvent({ actions: { endInvocation: true } })))
    for (const endInvocation of [false, 1, 'true', null, undefined]) {
      assert.ok(!isTerminalEvent(sampleEvent({ actions: { endInvocation: endInvocation as never } })))
    }
  })

  test('takes neither another status nor a partial event as the end', () => {
    assert.ok(!isTerminalEvent(sampleEvent()))
    assert.ok(!isTerminalEvent(sampleEvent({ status: 'paused' as never })))
    assert.ok(!isTerminalEvent(sampleEvent({ status: 'completed', partial: true as never })))
  })
})
