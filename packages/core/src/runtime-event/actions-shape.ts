import { anything, arrayOf, count, boolean, id, matching, object, oneOf, shape, text } from '../json/check.ts'
import type { Check } from '../json/check.ts'
import type { InvocationEnding, RequestAction, RuntimeEventActions, StopReason, TokenUsage } from './actions.ts'

export const stopReason: Check = oneOf<StopReason>(
  'end_turn',
  'max_tokens',
  'content_filter',
  'step_limit',
  'context_limit',
  'user_stop',
  'waiting',
  'error',
)

export const tokenUsage: Check = shape({}, {
  inputTokens: count,
  outputTokens: count,
  reasoningTokens: count,
  cachedInputTokens: count,
  totalTokens: count,
} satisfies Record<keyof TokenUsage, Check>)

export const actions: Check = shape({}, {
  endInvocation: boolean,
  ending: shape({ stopReason }, {
    failureCode: text,
    abortSource: text,
    partialText: oneOf('not_recorded'),
  } satisfies Record<Exclude<keyof InvocationEnding, 'stopReason'>, Check>),
  ledgerDigest: matching(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits'),
  tokenUsage,
  request: shape(
    { requestId: id, kind: oneOf<RequestAction['kind']>('sandbox_boundary', 'user_question'), payload: anything },
    { toolCallId: id },
  ),
  answer: shape({ requestId: id, payload: anything }),
  storableChanges: arrayOf(shape({ path: text, was: text })),
  stateDelta: object,
} satisfies Record<keyof RuntimeEventActions, Check>)
