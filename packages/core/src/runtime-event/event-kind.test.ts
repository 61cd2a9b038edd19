import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleEvent } from '../../test/sample-event.ts'
import { eventKind } from './event-kind.ts'

test('eventKind names the content, else the status, else the end, else a fact', () => {
  const content = { kind: 'error', message: 'm' } as const
  assert.equal(eventKind(sampleEvent({ content, status: 'failed' })), 'error')
  assert.equal(eventKind(sampleEvent({ status: 'failed', actions: { endInvocation: true } })), 'failed')
  assert.equal(eventKind(sampleEvent({ actions: { endInvocation: true } })), 'invocation_end')
  assert.equal(eventKind(sampleEvent({ actions: { endInvocation: false } })), 'runtime_fact')
})
