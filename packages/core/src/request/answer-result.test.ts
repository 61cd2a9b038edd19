import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asked, ledgerOf } from '../../test/ledger-of.ts'
import type { AnswerAction } from '../runtime-event/actions.ts'
import { answeredCall } from './answer-result.ts'
import { requestsFromSessionEvents } from './rebuild.ts'

const [called, free] = requestsFromSessionEvents(
  'session',
  ledgerOf([asked('i', 'a', { toolCallId: 'call' }), asked('i', 'b')]),
  () => 'digest',
)
const answer = (outcome: AnswerAction['outcome'], more: Partial<AnswerAction> = {}): AnswerAction => ({
  requestId: 'a',
  requestDigest: 'digest',
  outcome,
  ...more,
})

test('a refusal, and an answer in words, decide the call that waits for it; what is approved is still to run', () => {
  const toolCallId = 'call'
  for (const [given, expected] of [
    [answer('approved', { args: { run: 'less' } }), undefined],
    [answer('answered', { answer: { words: 1 } }), { toolCallId, outcome: 'ok', result: { words: 1 } }],
    [answer('answered'), { toolCallId, outcome: 'ok', result: null }],
    [answer('denied', { reason: 'no' }), { toolCallId, outcome: 'denied', result: 'no' }],
    [answer('denied'), { toolCallId, outcome: 'denied', result: null }],
    [answer('expired'), { toolCallId, outcome: 'denied', result: 'Nobody answered in time.' }],
  ] as const) {
    assert.deepEqual(answeredCall(called!, given), expected)
  }
})

test('where no call waits, an answer decides none', () => {
  for (const outcome of ['approved', 'answered', 'denied', 'expired'] as const) {
    assert.equal(answeredCall(free!, answer(outcome)), undefined)
  }
})
