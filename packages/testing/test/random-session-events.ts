import { decodeSessionEvent, type SessionEvent, type UnknownSessionEvent } from '@daybook/core/events'
import fc from 'fast-check'

const messageId = fc.constantFrom('m', 'n', 'run:text:m')
const toolCallId = fc.constantFrom('c', 'd', 'm')
const requestId = fc.constantFrom('r', 'q')
const text = fc.string({ unit: fc.constantFrom('a', 'b', '{', '}', '"', '1', '\ud83d', '\ude00', '\n'), maxLength: 3 })
const anything = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withSparseArray: true, maxDepth: 2 }),
  fc.constantFrom(null, {}, { a: 1 }, 'ab', 'message', { question: 'which?' }, [1], Number.NaN, -0),
)
const count = fc.constantFrom(0, 1, 7, Number.MAX_SAFE_INTEGER)
const flag = fc.constantFrom(true, false, undefined)
const request = { requestId, toolCallId: fc.option(toolCallId, { nil: undefined }), expiresInMs: count }

const kinds: Readonly<Record<string, Readonly<Record<string, fc.Arbitrary<unknown>>>>> = {
  text_delta: { messageId, text },
  text_complete: { messageId, text, interrupted: flag, providerMetadata: anything },
  thinking_delta: { messageId, text },
  thinking_complete: { messageId, text, interrupted: flag, providerMetadata: anything },
  tool_input_delta: { toolCallId, toolName: text, text },
  tool_start: { toolCallId, toolName: text, args: anything },
  tool_result_preview: { toolCallId, result: anything },
  tool_result: {
    toolCallId,
    result: anything,
    outcome: fc.constantFrom(undefined, 'ok', 'error', 'denied', 'not_answered', 'unknown'),
  },
  source: { sourceId: text, url: text, title: fc.option(text, { nil: undefined }) },
  file: { messageId, mediaType: text, data: text },
  token_usage: { usage: fc.record({ inputTokens: count, outputTokens: count }, { requiredKeys: [] }) },
  sandbox_boundary_request: { ...request, request: anything },
  sandbox_boundary_decision_ack: { requestId, decision: fc.constantFrom('approved', 'denied') },
  user_question_request: { ...request, question: anything },
  user_question_answer_ack: { requestId },
  provider_retry: { message: text },
  custom: { name: fc.oneof(text, fc.constantFrom('oke.events.gap', 'daybook.error')), value: anything },
  error: { message: text, code: fc.option(text, { nil: undefined }) },
  hologram: { messageId: anything, name: anything },
}

const endings: typeof kinds = {
  abort: { source: fc.option(text, { nil: undefined }) },
  complete: {
    stopReason: fc.constantFrom('end_turn', 'max_tokens', 'content_filter', 'user_stop', 'waiting', 'error'),
  },
}

const origin = {
  stepId: fc.constantFrom(undefined, 's', 't'),
  agentPath: fc.constantFrom(undefined, undefined, [], ['a'], ['a', 'b'], ['b'], ['a/b'], ['']),
  ts: fc.constantFrom(0, -1, 1_800_000_000_000, Number.MAX_SAFE_INTEGER),
}

function eventOf(types: typeof kinds): fc.Arbitrary<SessionEvent | UnknownSessionEvent> {
  const events = Object.entries(types).map(([type, fields]) =>
    fc.record({ type: fc.constant(type), id: fc.constant('e'), turnId: fc.constant('t'), ...origin, ...fields }),
  )
  return fc.oneof(...events).map((event) => decodeSessionEvent(event, 't'))
}

export type AnySessionEvent = SessionEvent | UnknownSessionEvent

/** What a careless or hostile backend may yield in a turn: no end needs a beginning, ids repeat, and an end may come early. */
export const anySessionEvents: fc.Arbitrary<AnySessionEvent[]> = fc.array(
  fc.oneof({ weight: 30, arbitrary: eventOf(kinds) }, { weight: 1, arbitrary: eventOf(endings) }),
  { maxLength: 40 },
)

export const anyEnding: fc.Arbitrary<AnySessionEvent> = eventOf(endings)
