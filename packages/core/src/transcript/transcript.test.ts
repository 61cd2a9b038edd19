import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  call,
  ended,
  fact,
  ledgerOf,
  opened,
  openingContent,
  response,
  said,
  text,
  type Fact,
} from '../../test/ledger-of.ts'
import type { TranscriptTurn } from './transcript-turn.ts'
import { transcriptFromEvents } from './transcript.ts'

const read = (...facts: Fact[]): TranscriptTurn[] => transcriptFromEvents(ledgerOf(facts))
const failed = (more: Partial<Fact>): TranscriptTurn['error'] => read(opened('a'), ended('a', 'failed', more))[0]?.error

describe('transcriptFromEvents', () => {
  test('gives a turn with everything that people read, in the order of the ledger', () => {
    const source = { sourceId: 's', url: 'https://example.org', title: 'Example', mediaType: 'text/html' }
    assert.deepEqual(
      read(
        opened('a'),
        said('a', 'hi'),
        said('a', 'there'),
        fact('a', { kind: 'thinking', text: 'hm', interrupted: true }),
        { ...text('a', 'hidden from the model'), modelVisibility: 'hidden' },
        call('a', '1'),
        fact('a', { kind: 'source', ...source }),
        fact('a', { kind: 'file', mediaType: 'image/png', data: 'AA==' }),
        fact('a', { kind: 'error', message: 'hiccup' }),
        response('a', '1'),
        response('a', 'orphan', 'x', 'denied'),
        { invocationId: 'a', actions: { tokenUsage: { inputTokens: 1, outputTokens: 2 } } },
        ended('a', 'completed', { actions: { tokenUsage: { inputTokens: 3 } } }),
        text('a', 'straggler'),
      ),
      [
        {
          turnId: 'turn-a',
          invocationId: 'a',
          runId: 'run-a',
          openedAt: 1000,
          state: 'completed',
          userText: 'hi\n\nthere',
          items: [
            { type: 'thinking', text: 'hm', interrupted: true },
            { type: 'text', text: 'hidden from the model' },
            { type: 'tool_call', toolCallId: '1', toolName: 'read', args: { of: '1' }, outcome: 'ok', result: 'done' },
            { type: 'source', ...source },
            { type: 'file', mediaType: 'image/png', data: 'AA==' },
            { type: 'error', message: 'hiccup' },
            { type: 'tool_result', toolCallId: 'orphan', toolName: 'read', outcome: 'denied', result: 'x' },
          ],
          usage: { inputTokens: 4, outputTokens: 2 },
        },
      ],
    )
  })

  test('takes a turn’s continuations into it, and its state from the newest', () => {
    const [turn, ...others] = read(
      opened('a'),
      said('a', 'hi'),
      call('a', '1'),
      ended('a', 'waiting'),
      opened('b', { kind: 'continuation', of: 'a' }),
      response('b', '1'),
      ended('b', 'failed', { content: { kind: 'error', message: 'broke', code: 'c' } }),
    )
    assert.deepEqual(others, [])
    assert.deepEqual(
      [turn?.invocationId, turn?.runId, turn?.openedAt, turn?.state, turn?.error],
      ['b', 'run-b', 1000, 'failed', { message: 'broke', code: 'c' }],
    )
    assert.deepEqual(turn?.items, [
      { type: 'tool_call', toolCallId: '1', toolName: 'read', args: { of: '1' }, outcome: 'ok', result: 'done' },
    ])
  })

  test('leaves superseded attempts out', () => {
    const turns = read(
      opened('a'),
      text('a', 'x'),
      ended('a', 'failed'),
      opened('b', { kind: 'retry', supersedes: 'a' }),
    )
    assert.deepEqual(
      turns.map(({ invocationId, state, items }) => [invocationId, state, items]),
      [['b', 'running', []]],
    )
  })

  test('says what became of a call without a response', () => {
    const outcome = (...facts: Fact[]): unknown =>
      read(opened('a'), call('a', '1'), ...facts)[0]?.items.map((item) => item.type === 'tool_call' && item.outcome)[0]
    const waiting = ended('a', 'waiting')
    const lineage = { parentInvocationId: 'a' }
    const subAgent = opened('sub', undefined, { content: { ...openingContent({ kind: 'fresh' }), lineage } })
    const goesOn = opened('b', { kind: 'continuation', of: 'a' })
    assert.equal(outcome(), 'open')
    assert.equal(outcome(ended('a', 'completed')), 'unknown')
    assert.equal(outcome(ended('a', 'failed'), goesOn), 'unknown')
    assert.equal(outcome(waiting), 'open')
    assert.equal(outcome(waiting, goesOn), 'open')
    assert.equal(outcome(waiting, goesOn, ended('b', 'waiting')), 'open')
    assert.equal(outcome(waiting, goesOn, ended('b', 'completed')), 'not_answered')
    assert.equal(outcome(waiting, opened('b')), 'not_answered')
    assert.equal(outcome(waiting, subAgent), 'open')
  })

  test('says why a turn failed as far as the ledger does', () => {
    assert.deepEqual(failed({ content: { kind: 'error', message: 'broke' } }), { message: 'broke' })
    assert.deepEqual(failed({ actions: { ending: { stopReason: 'error', failureCode: 'app_restarted' } } }), {
      message: 'app_restarted',
      code: 'app_restarted',
    })
    assert.equal(failed({}), undefined)
    assert.equal(failed({ actions: { ending: { stopReason: 'error', failureCode: 7 as never } } }), undefined)
    const [turn] = read(opened('a'), fact('a', { kind: 'error', message: 'broke' }), ended('a', 'failed'))
    assert.deepEqual(turn?.error, { message: 'broke' })
    const [fine] = read(opened('a'), fact('a', { kind: 'error', message: 'hiccup' }), ended('a', 'completed'))
    assert.equal(fine?.error, undefined)
  })
})
