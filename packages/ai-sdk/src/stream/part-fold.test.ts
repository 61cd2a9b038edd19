import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bodies } from '../../test/run-turn.ts'
import { assertWholeTurn } from '../../test/valid-turn.ts'
import type { SessionEvent } from '@daybook/core/events'
import { createPartFold } from './part-fold.ts'
import type { StreamPart } from './stream-part.ts'
import type { Executions } from './tool-calls.ts'

const foldedTurn = { turnId: 'turn-1', invocationId: 'invocation-1', isAnsweredByPerson: () => false }
const notRun: Executions = { began: () => false, durationMs: () => undefined, forget: () => undefined }
const stop = { type: 'finish', finishReason: 'stop', rawFinishReason: 'stop' } as const

function fold(...parts: readonly object[]): SessionEvent[] {
  const folding = createPartFold(foldedTurn, notRun, () => 7)
  const events = parts.flatMap((part) => folding.push(part as StreamPart))
  return [...events, ...folding.complete()]
}

/** The events of a turn that finishes, without its terminal. */
function factsOf(...parts: readonly object[]): object[] {
  const events = fold(...parts, stop)
  assertWholeTurn(events)
  assert.deepEqual(bodies(events).at(-1), { type: 'complete', stopReason: 'end_turn' })
  return bodies(events).slice(0, -1)
}

describe('createPartFold', () => {
  it('stamps each event with turn, time, step and an id that counts', () => {
    assert.deepEqual(fold({ type: 'start' }, { type: 'error', error: 'a' }, { type: 'start-step' }, stop), [
      { id: 'ai-sdk-1', turnId: 'turn-1', ts: 7, type: 'error', message: 'a' },
      { id: 'ai-sdk-2', turnId: 'turn-1', ts: 7, stepId: 'step-1', type: 'complete', stopReason: 'error' },
    ])
  })

  it('tells nothing of what is no fact', () => {
    assert.deepEqual(
      factsOf(
        { type: 'start' },
        { type: 'ping' },
        { type: 'start-step', warnings: [] },
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', text: '' },
        { type: 'text-end', id: '1' },
        { type: 'finish-step', usage: { inputTokens: undefined } },
      ),
      [],
    )
  })

  it('keeps a source', () => {
    assert.deepEqual(
      factsOf(
        { type: 'source', sourceType: 'url', id: 's1', url: 'https://a.example', title: 'A' },
        { type: 'source', sourceType: 'document', id: 's2', filename: 'a.pdf', mediaType: 'application/pdf' },
      ),
      [
        { type: 'source', sourceId: 's1', url: 'https://a.example', title: 'A' },
        { type: 'source', sourceId: 's2', title: 'a.pdf', mediaType: 'application/pdf' },
      ],
    )
  })

  it('keeps a file', () => {
    const file = { base64: 'AAAA', mediaType: 'image/png', uint8Array: new Uint8Array(3) }
    assert.deepEqual(factsOf({ type: 'file', file }, { type: 'reasoning-file', file }), [
      { type: 'file', messageId: 'file-1', mediaType: 'image/png', data: 'AAAA' },
      {
        type: 'custom',
        name: 'ai-sdk:reasoning-file',
        value: { type: 'reasoning-file', file: { mediaType: 'image/png', base64: 'AAAA' } },
      },
    ])
  })

  it('keeps of a file that no event can hold that it was there', () => {
    const file = { base64: 'A'.repeat(1_048_576), mediaType: 'image/png' }
    const tooLarge = { mediaType: 'image/png', base64Length: 1_048_576 }
    for (const type of ['file', 'reasoning-file']) {
      assert.deepEqual(factsOf({ type, file }), [{ type: 'custom', name: 'ai-sdk:file-too-large', value: tooLarge }])
    }
  })

  it('leaves out of a usage what is no count', () => {
    const usage = { inputTokens: -1, outputTokens: 2.5, totalTokens: 3, outputTokenDetails: { reasoningTokens: NaN } }
    assert.deepEqual(factsOf({ type: 'finish-step', usage }), [{ type: 'token_usage', usage: { totalTokens: 3 } }])
  })

  it('keeps a part that it does not know whole', () => {
    const parts = [
      { type: 'raw', rawValue: { id: 1 } },
      { type: 'custom', kind: 'openai.compaction', providerMetadata: { openai: { itemId: 'i' } } },
      { type: 'toString' },
    ]
    assert.deepEqual(
      factsOf(...parts),
      parts.map((value) => ({ type: 'custom', name: `ai-sdk:${value.type}`, value })),
    )
  })

  it('keeps the warnings of a step and the citations of a text', () => {
    assert.deepEqual(
      factsOf(
        { type: 'start-step', warnings: [{ type: 'unsupported', feature: 'seed' }] },
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', text: 'A' },
        { type: 'text-end', id: '1', citations: [{ citedText: 'a' }] },
      ),
      [
        { type: 'custom', name: 'ai-sdk:warnings', value: [{ type: 'unsupported', feature: 'seed' }] },
        { type: 'text_delta', messageId: 'text-1', text: 'A' },
        { type: 'text_complete', messageId: 'text-1', text: 'A' },
        { type: 'custom', name: 'ai-sdk:citations', value: { messageId: 'text-1', citations: [{ citedText: 'a' }] } },
      ],
    )
  })

  it('keeps what a provider wants back of a thinking, also of one whose text it hides', () => {
    assert.deepEqual(
      factsOf(
        { type: 'reasoning-start', id: '0', providerMetadata: { anthropic: { redactedData: 'R' } } },
        { type: 'reasoning-end', id: '0' },
        { type: 'reasoning-start', id: '1' },
        { type: 'reasoning-delta', id: '1', text: 'Hm' },
        { type: 'reasoning-delta', id: '1', text: '', providerMetadata: { anthropic: { signature: 'S' } } },
        { type: 'reasoning-end', id: '1' },
      ),
      [
        {
          type: 'thinking_complete',
          messageId: 'thinking-1',
          text: '',
          providerMetadata: { anthropic: { redactedData: 'R' } },
        },
        { type: 'thinking_delta', messageId: 'thinking-2', text: 'Hm' },
        {
          type: 'thinking_complete',
          messageId: 'thinking-2',
          text: 'Hm',
          providerMetadata: { anthropic: { signature: 'S' } },
        },
      ],
    )
  })

  it('keeps what a provider wants back of a text and a call', () => {
    const providerMetadata = { openai: { itemId: 'i' } }
    const call = {
      type: 'tool-call',
      toolCallId: 'c',
      toolName: 'search',
      input: {},
      providerExecuted: true,
      providerMetadata,
    }
    assert.deepEqual(
      factsOf(
        { type: 'text-start', id: '1', providerMetadata },
        { type: 'text-delta', id: '1', text: 'A' },
        { type: 'text-end', id: '1' },
        call,
        { type: 'tool-result', toolCallId: 'c', output: 1, providerMetadata },
      ).slice(1),
      [
        { type: 'text_complete', messageId: 'text-1', text: 'A', providerMetadata },
        { type: 'tool_start', toolCallId: 'c', toolName: 'search', args: {}, providerExecuted: true, providerMetadata },
        {
          type: 'tool_result',
          toolCallId: 'c',
          toolName: 'search',
          result: 1,
          providerExecuted: true,
          providerMetadata,
        },
      ],
    )
  })

  it('gives a result that comes steps later to the step of its call', () => {
    const events = fold(
      { type: 'start-step' },
      { type: 'tool-call', toolCallId: 'c', toolName: 'run', input: {}, providerExecuted: true },
      { type: 'start-step' },
      { type: 'tool-result', toolCallId: 'c', output: 1 },
      stop,
    )
    assert.deepEqual(
      events.map(({ type, stepId }) => [type, stepId]),
      [
        ['tool_start', 'step-1'],
        ['tool_result', 'step-1'],
        ['complete', 'step-2'],
      ],
    )
  })

  it('keeps a result that belongs to no open call, without the fields of its error', () => {
    const error = Object.assign(new Error('lost'), { requestBodyValues: 'SECRET' })
    assert.deepEqual(factsOf({ type: 'tool-error', toolCallId: 'c', error }), [
      {
        type: 'custom',
        name: 'ai-sdk:tool-error',
        value: { type: 'tool-error', toolCallId: 'c', error: { message: 'lost' } },
      },
    ])
  })

  it('makes an id for a call whose own id is none', () => {
    const call = { type: 'tool-call', toolCallId: '', toolName: 'run', input: {}, providerExecuted: true }
    const [started] = factsOf(call, { type: 'tool-result', toolCallId: '', output: 1 })
    assert.deepEqual(started, {
      type: 'tool_start',
      toolCallId: 'daybook-call-0',
      toolName: 'run',
      args: {},
      providerExecuted: true,
    })
  })

  it('records that a rule of the program refused a call', () => {
    const toolCall = { toolCallId: 'c', toolName: 'rm', input: {} }
    const facts = fold(
      { type: 'start-step' },
      { type: 'tool-call', ...toolCall },
      { type: 'tool-approval-request', approvalId: 'a', toolCall, isAutomatic: true },
      { type: 'tool-approval-response', approvalId: 'a', toolCall, approved: false, reason: 'no deletions' },
      { type: 'tool-output-denied', toolCallId: 'c', toolName: 'rm' },
      { type: 'start-step' },
      stop,
    )
    assertWholeTurn(facts)
    assert.deepEqual(
      facts.map(({ type }) => type),
      ['tool_start', 'custom', 'custom', 'tool_result', 'complete'],
    )
    assert.deepEqual(bodies(facts)[3], {
      type: 'tool_result',
      toolCallId: 'c',
      toolName: 'rm',
      outcome: 'denied',
      result: 'no deletions',
    })
  })

  it('fails where a person must allow what the provider would run', () => {
    const toolCall = { toolCallId: 'c', toolName: 'mcp', input: {}, providerExecuted: true }
    const events = fold(
      { type: 'tool-call', ...toolCall },
      { type: 'tool-approval-request', approvalId: 'a', toolCall },
      stop,
    )
    assertWholeTurn(events)
    assert.match(JSON.stringify(bodies(events)), /does not support approvals of what the provider runs/)
    assert.deepEqual(bodies(events).at(-1), { type: 'complete', stopReason: 'error' })
  })
})
