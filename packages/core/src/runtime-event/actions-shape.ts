import { anything, arrayOf, count, boolean, id, matching, object, oneOf, shape, text } from '../json/check.ts'
import type { Check } from '../json/check.ts'
import { sha256Pattern } from '../ledger/sha256.ts'
import type {
  AnswerOutcome,
  InvocationEnding,
  RequestAction,
  RequestWait,
  RuntimeEventActions,
  StopReason,
  TokenUsage,
} from './actions.ts'

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

const sha256Hex = matching(sha256Pattern, 'must be 64 lower-case hex digits')

export const request: Check = shape(
  { requestId: id, kind: oneOf<RequestAction['kind']>('sandbox_boundary', 'user_question'), payload: anything },
  { toolCallId: id, wait: oneOf<RequestWait>('later', 'live'), expiresInMs: count },
)

export const answer: Check = shape(
  {
    requestId: id,
    requestDigest: sha256Hex,
    outcome: oneOf<AnswerOutcome>('approved', 'denied', 'answered', 'expired'),
  },
  { args: anything, answer: anything, reason: text, by: id },
)

export const answerAck: Check = shape({ requestId: id }, { decision: oneOf('approved', 'denied') })

export const actions: Check = shape({}, {
  endInvocation: boolean,
  ending: shape({ stopReason }, {
    failureCode: text,
    abortSource: text,
    partialText: oneOf('not_recorded'),
  } satisfies Record<Exclude<keyof InvocationEnding, 'stopReason'>, Check>),
  ledgerDigest: sha256Hex,
  tokenUsage,
  request,
  answer,
  answerAck,
  storableChanges: arrayOf(shape({ path: text, was: text })),
  stateDelta: object,
} satisfies Record<keyof RuntimeEventActions, Check>)
