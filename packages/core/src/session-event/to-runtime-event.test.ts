import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { hostileValue } from '../../test/hostile-value.ts'
import { everySessionEvent, sessionEvents } from '../../test/session-event-samples.ts'
import { PayloadTooLargeError } from '../errors/input-errors.ts'
import type { StopReason } from '../runtime-event/actions.ts'
import { encodeCanonicalRuntimeEvent } from '../runtime-event/encode.ts'
import type { RuntimeEvent, TerminalStatus } from '../runtime-event/runtime-event.ts'
import { isTerminalEvent } from '../runtime-event/terminal.ts'
import { decodeSessionEvent } from './decode.ts'
import type { SeenBefore } from './seen-before.ts'
import type { SessionEvent, SessionEventType } from './session-event.ts'
import { runtimeEventFromSessionEvent } from './to-runtime-event.ts'

const ids = { sessionId: 'session', invocationId: 'invocation', runId: 'run' }
const nothing: SeenBefore = { toolCalls: new Map(), namesOfResults: new Map() }

function mapped(value: object, seen: SeenBefore = nothing): RuntimeEvent | undefined {
  const event = runtimeEventFromSessionEvent(decodeSessionEvent(value, 't'), ids, seen)
  return event && encodeCanonicalRuntimeEvent(event).event
}

function contentOf(event: RuntimeEvent | undefined): Readonly<Record<string, unknown>> {
  return { ...event?.content }
}

const envelope = { ...ids, id: 'e', turnId: 't', ts: 2, partial: false }
const byModel = { ...envelope, role: 'model', author: 'agent', modelVisibility: 'visible' }
const bySystem = { ...envelope, role: 'system', author: 'system', modelVisibility: 'hidden' }
const byBackend = { ...envelope, role: 'system', author: 'agent', modelVisibility: 'hidden' }

const facts: Readonly<Record<SessionEventType, object | undefined>> = {
  text_delta: undefined,
  text_complete: {
    ...byModel,
    content: { kind: 'text', text: 'ab', interrupted: true, providerMetadata: { i: 1 } },
    refs: { messageId: 'm' },
  },
  thinking_delta: undefined,
  thinking_complete: {
    ...byModel,
    content: { kind: 'thinking', text: 'ab', providerMetadata: { value: 'signature' } },
    refs: { messageId: 'm' },
  },
  tool_input_delta: undefined,
  tool_start: {
    ...byModel,
    content: { kind: 'function_call', toolCallId: 'c', name: 'read', args: { path: 'a' }, providerExecuted: true },
    refs: { toolCallId: 'c', stepId: 's' },
  },
  tool_result_preview: undefined,
  tool_result: {
    ...envelope,
    role: 'tool',
    author: 'tool',
    modelVisibility: 'visible',
    content: {
      kind: 'function_response',
      toolCallId: 'c',
      name: 'read',
      outcome: 'error',
      result: 'no',
      durationMs: 1.5,
    },
    refs: { toolCallId: 'c' },
  },
  source: {
    ...byModel,
    modelVisibility: 'hidden',
    content: { kind: 'source', sourceId: 'x', url: 'u', title: 't', mediaType: 'text/html', providerMetadata: {} },
  },
  file: { ...byModel, content: { kind: 'file', mediaType: 'image/png', data: 'AA==' }, refs: { messageId: 'm' } },
  token_usage: { ...bySystem, actions: { tokenUsage: { inputTokens: 3, outputTokens: 4 } } },
  sandbox_boundary_request: {
    ...bySystem,
    actions: { request: { requestId: 'r', kind: 'sandbox_boundary', toolCallId: 'c', payload: { run: 'ls' } } },
    refs: { requestId: 'r', toolCallId: 'c' },
  },
  sandbox_boundary_decision_ack: {
    ...byBackend,
    actions: { answerAck: { requestId: 'r', decision: 'denied' } },
    refs: { requestId: 'r' },
  },
  user_question_request: {
    ...bySystem,
    actions: { request: { requestId: 'r', kind: 'user_question', payload: 'which?' } },
    refs: { requestId: 'r' },
  },
  user_question_answer_ack: {
    ...byBackend,
    actions: { answerAck: { requestId: 'r' } },
    refs: { requestId: 'r' },
  },
  provider_retry: undefined,
  custom: { ...byBackend, actions: { stateDelta: { mood: { good: true } } }, agentPath: ['a', 'b'] },
  error: { ...byBackend, content: { kind: 'error', message: 'broken', code: 'E1' } },
  abort: {
    ...byBackend,
    status: 'aborted',
    actions: { endInvocation: true, ending: { stopReason: 'user_stop', abortSource: 'user' } },
  },
  complete: { ...byBackend, status: 'completed', actions: { endInvocation: true, ending: { stopReason: 'end_turn' } } },
}

describe('runtimeEventFromSessionEvent', () => {
  for (const [type, fact] of Object.entries(facts)) {
    test(`${fact === undefined ? 'makes no fact' : 'makes the fact'} of ${type}`, () => {
      assert.deepStrictEqual(mapped(sessionEvents[type as SessionEventType]), fact)
    })
  }

  describe('of complete', () => {
    const statuses: Readonly<Record<StopReason, TerminalStatus>> = {
      end_turn: 'completed',
      max_tokens: 'completed',
      waiting: 'waiting',
      user_stop: 'aborted',
      error: 'failed',
      step_limit: 'failed',
      context_limit: 'failed',
      content_filter: 'failed',
    }
    for (const [stopReason, status] of Object.entries(statuses)) {
      test(`with ${stopReason} ends as ${status}, after an error ${status === 'aborted' ? 'too' : 'as failed'}`, () => {
        const complete = { ...sessionEvents.complete, stopReason: stopReason as StopReason }
        const alone = mapped(complete)
        assert.equal(alone?.status, status)
        assert.equal(alone.actions?.ending?.failureCode, status === 'failed' ? stopReason : undefined)
        assert.equal(alone.content, undefined)

        const after = mapped(complete, { ...nothing, lastError: sessionEvents.error })
        assert.equal(after?.status, status === 'aborted' ? 'aborted' : 'failed')
        assert.equal(after.actions?.ending?.stopReason, stopReason)
        if (status === 'aborted') return assert.equal(after.content, undefined)
        assert.equal(after.actions?.ending?.failureCode, 'E1')
        assert.deepEqual(after.content, { kind: 'error', message: 'broken', code: 'E1' })
      })
    }
  })

  test('names the tool of a result as its call did, or unknown', () => {
    const { toolName: _, ...result } = sessionEvents.tool_result
    const nameAfter = (seen: SeenBefore) => contentOf(mapped(result, seen)).name
    assert.equal(nameAfter({ ...nothing, toolCalls: new Map([['c', { toolName: 'gr\ud800ep' }]]) }), 'gr\ufffdep')
    assert.equal(nameAfter(nothing), 'unknown')
  })

  test('stores what JSON cannot hold and says what was changed', () => {
    const result = { at: new Date(0), size: 1n, text: 'cut \ud83d' }
    const fact = mapped({ ...sessionEvents.tool_result, result })
    assert.deepEqual(contentOf(fact).result, { at: '1970-01-01T00:00:00.000Z', size: '1', text: 'cut \ufffd' })
    assert.deepEqual(fact?.actions?.storableChanges, [
      { path: '/result/at', was: 'date' },
      { path: '/result/size', was: 'bigint' },
      { path: '/result/text', was: 'lone_surrogate' },
    ])
  })

  test('keeps both the value of a custom event with the name of its type and what it does not know', () => {
    const event = { ...sessionEvents.custom, name: 'custom', value: 1, further: 2 }
    assert.deepEqual(mapped(event)?.actions?.stateDelta, { custom: { value: 1, further: 2 } })
    assert.deepEqual(mapped({ ...sessionEvents.custom, name: 'custom', value: 1 })?.actions?.stateDelta, { custom: 1 })
  })

  test('takes a result that is undefined as null, and a flag that is false as none', () => {
    const event = { ...sessionEvents.tool_result, result: undefined, providerExecuted: false }
    assert.deepEqual(mapped(event)?.content, {
      kind: 'function_response',
      toolCallId: 'c',
      name: 'read',
      outcome: 'error',
      result: null,
      durationMs: 1.5,
    })
  })

  test('keeps the fields that this version does not know, under the name of the type', () => {
    const fact = mapped({ ...sessionEvents.error, severity: 3, toolCallId: ['not a ref'] })
    assert.deepEqual(fact?.actions, { stateDelta: { error: { severity: 3, toolCallId: ['not a ref'] } } })
    assert.equal(fact.refs, undefined)
  })

  test('keeps an event of a type that this version does not know', () => {
    const event = { type: '__proto__', id: 'e', turnId: 't', ts: 2, stepId: 's', color: 'red', ['__proto__']: [1n] }
    assert.deepStrictEqual(mapped(event), {
      ...byBackend,
      actions: {
        stateDelta: { ['__proto__']: { color: 'red', ['__proto__']: ['1'] } },
        storableChanges: [{ path: '/__proto__/0', was: 'bigint' }],
      },
      refs: { stepId: 's' },
    })
  })

  test('gives the same fact for the same event', () => {
    for (const event of everySessionEvent) assert.deepStrictEqual(mapped(event), mapped(structuredClone(event)))
  })

  test('makes a fact that is too large, and not another one, of an event that is too large', () => {
    const huge = 'x'.repeat(2 ** 24)
    for (const type of ['text_complete', 'tool_result', 'complete'] as const) {
      assert.throws(() => mapped({ extra: huge, ...sessionEvents[type] }), PayloadTooLargeError, type)
    }
    assert.throws(() => mapped({ ...sessionEvents.text_complete, text: huge }), PayloadTooLargeError)
    assert.throws(
      () => mapped(sessionEvents.complete, { ...nothing, lastError: { message: huge } }),
      PayloadTooLargeError,
    )
  })

  test('makes a fact that the ledger takes of every event that decodes', () => {
    const foreign = fc.constantFrom(
      'args',
      'result',
      'request',
      'question',
      'value',
      'providerMetadata',
      'new',
      '__proto__',
    )
    const text = fc.string({ unit: fc.constantFrom('a', '\ud800', '\udc00', '\0', '"') })
    const event = fc
      .record({
        base: fc.constantFrom<SessionEvent | { type: string }>(...everySessionEvent, {
          ...sessionEvents.abort,
          type: 'new',
        }),
        texts: fc.array(
          fc.tuple(fc.constantFrom('text', 'message', 'code', 'name', 'toolName', 'title', 'source'), text),
        ),
        values: fc.array(fc.tuple(foreign, hostileValue), { maxLength: 3 }),
        numbers: fc.record({
          ts: fc.constantFrom(-0, 0, -5, 2 ** 53 - 1),
          durationMs: fc.double({ noNaN: true, noDefaultInfinity: true }),
        }),
        hasError: fc.boolean(),
      })
      .map(({ base, texts, values, numbers, hasError }) => ({
        lastError: hasError ? { message: '\udc00', code: '\0' } : undefined,
        make: () => ({
          ...base,
          ...numbers,
          ...Object.fromEntries(texts),
          ...Object.fromEntries(values.map(([name, make]) => [name, make()])),
        }),
      }))
    fc.assert(
      fc.property(event, ({ make, lastError }) => {
        const decoded = decodeSessionEvent(make(), 't')
        const fact = runtimeEventFromSessionEvent(decoded, ids, { ...nothing, lastError })
        if (fact === undefined) return
        const { event } = encodeCanonicalRuntimeEvent(fact)
        assert.deepStrictEqual(event, fact)
        assert.equal(isTerminalEvent(event), ['abort', 'complete'].includes(decoded.type))
      }),
      { numRuns: 1000 },
    )
  })
})
