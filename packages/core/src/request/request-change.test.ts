import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answered, asked, ended, type Fact, ledgerOf, opened, said } from '../../test/ledger-of.ts'
import type { StoredRuntimeEvent } from '../runtime-event/runtime-event.ts'
import { foreignRequestChange, requestChange } from './request-change.ts'

const stored = (fact: Fact): StoredRuntimeEvent => ledgerOf([fact])[0]!
const changeOf = (fact: Fact) => requestChange(stored(fact), () => 'digest')
const subAgent = (source: 'fresh' | 'retry') => {
  const event = opened('i', source === 'fresh' ? { kind: source } : { kind: source, supersedes: 'h' })
  return { ...event, content: { ...event.content!, lineage: { parentInvocationId: 'parent' } } }
}

test('what asks gives the request as the ledger has it', () => {
  const common = { sessionId: 'session', invocationId: 'i', runId: 'run-i', turnId: 'turn-i', digest: 'digest' }
  assert.deepEqual(changeOf(asked('i', 'r', { toolCallId: 'call', wait: 'live', expiresInMs: 7 })), {
    type: 'asked',
    request: {
      ...common,
      requestId: 'r',
      kind: 'sandbox_boundary',
      toolCallId: 'call',
      payload: { run: 'r' },
      wait: 'live',
      requestedAt: 5000,
      expiresAt: 5007,
      state: 'open',
      answer: null,
    },
  })
  const change = changeOf(asked('i', 'r'))
  assert.ok(change?.type === 'asked')
  const { toolCallId, wait, expiresAt } = change.request
  assert.deepEqual({ toolCallId, wait, expiresAt }, { toolCallId: null, wait: 'later', expiresAt: null })
})

test('an answer, and a backend’s word that it has one, close the request', () => {
  const answer = answered('i', 'r', { outcome: 'denied', reason: 'no' })
  const closed = { type: 'closed', requestId: 'r' }
  assert.deepEqual(changeOf(answer), { ...closed, state: 'denied', answer: answer.actions?.answer })
  for (const decision of ['approved', 'denied'] as const) {
    const ack = { invocationId: 'i', actions: { answerAck: { requestId: 'r', decision } } }
    assert.deepEqual(changeOf(ack), { ...closed, state: decision, answer: null })
  }
  const ack = { invocationId: 'i', actions: { answerAck: { requestId: 'r' } } }
  assert.deepEqual(changeOf(ack), { ...closed, state: 'answered', answer: null })
})

test('the end of a turn closes what it asked, unless it waits', () => {
  for (const status of ['completed', 'failed', 'aborted', 'cancelled'] as const) {
    assert.deepEqual(changeOf(ended('i', status)), { type: 'turn_ended', turnId: 'turn-i' })
  }
  const without = { invocationId: 'i', actions: { endInvocation: true } }
  assert.deepEqual(changeOf(without), { type: 'turn_ended', turnId: 'turn-i' })
  assert.equal(changeOf(ended('i', 'waiting', { actions: { endInvocation: true } })), undefined)
})

test('a fresh turn and another attempt pass by what waits; continuations and sub-agents do not', () => {
  assert.deepEqual(changeOf(opened('i')), { type: 'passed_by' })
  assert.deepEqual(changeOf(opened('i', { kind: 'retry', supersedes: 'h' })), { type: 'passed_by' })
  assert.equal(changeOf(opened('i', { kind: 'continuation', of: 'h' })), undefined)
  for (const source of ['fresh', 'retry'] as const) assert.equal(changeOf(subAgent(source)), undefined)
  const [, second] = ledgerOf([said('i', 'first'), opened('i')])
  assert.equal(
    requestChange(second!, () => ''),
    undefined,
  )
})

test('what only looks like an action, and anything else, changes nothing', () => {
  const odd: readonly unknown[] = [
    null,
    'r',
    [],
    {},
    { requestId: 'r' },
    { requestId: 1, kind: 'user_question', payload: 1 },
  ]
  for (const request of odd) assert.equal(changeOf({ invocationId: 'i', actions: { request } } as Fact), undefined)
  assert.equal(changeOf({ invocationId: 'i', actions: { answer: { requestId: 'r' } } } as Fact), undefined)
  assert.equal(changeOf({ invocationId: 'i', actions: { answerAck: { decision: 'denied' } } } as Fact), undefined)
  assert.equal(changeOf(said('i', 'hello')), undefined)
})

test('a foreign row asks and answers nothing, and ends and opens as any other', () => {
  for (const fact of [asked('i', 'r'), answered('i', 'r'), said('i', 'hello')]) {
    assert.equal(foreignRequestChange(stored(fact)), undefined)
  }
  assert.deepEqual(foreignRequestChange(stored(ended('i', 'failed'))), { type: 'turn_ended', turnId: 'turn-i' })
  assert.deepEqual(foreignRequestChange(stored(opened('i'))), { type: 'passed_by' })
  const both = { ...ended('i', 'failed'), ...asked('i', 'r') }
  assert.equal(foreignRequestChange(stored(both))?.type, 'turn_ended')
  assert.equal(changeOf(both)?.type, 'asked')
})

test('a foreign opening counts by what decides alone: its kind, and that it is whole', () => {
  const bare = { kind: 'invocation_opened' }
  assert.deepEqual(foreignRequestChange(stored({ invocationId: 'i', content: bare } as Fact)), { type: 'passed_by' })
  const partial = { invocationId: 'i', content: bare, partial: true }
  assert.equal(foreignRequestChange(stored(partial as unknown as Fact)), undefined)
  assert.equal(foreignRequestChange(stored({ invocationId: 'i', content: bare, ts: 0.5 } as Fact)), undefined)
})
