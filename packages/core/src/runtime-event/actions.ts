import type { StorableChange } from '../json/storable.ts'
import type { JsonObject, JsonValue } from '../json/json-value.ts'

/** Tokens of one model call or of a whole turn, as the provider counted them. */
export interface TokenUsage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly reasoningTokens?: number
  readonly cachedInputTokens?: number
  readonly totalTokens?: number
}

/** Why a backend stopped producing. */
export type StopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'content_filter'
  | 'step_limit'
  | 'context_limit'
  | 'user_stop'
  | 'waiting'
  | 'error'

/** How and why an invocation ended; carried by its terminal event. */
export interface InvocationEnding {
  readonly stopReason: StopReason
  /** A stable word for the failure, such as `app_restarted`, `missing_terminal_event` or a code of `errorCodes`. */
  readonly failureCode?: string
  /** Who stopped it, such as `user` or `consumer_left`. */
  readonly abortSource?: string
  /** Present when text was shown that no one had stored: it is not in the ledger. */
  readonly partialText?: 'not_recorded'
}

/** A request that waits for an answer of a person. */
export interface RequestAction {
  readonly requestId: string
  readonly kind: 'sandbox_boundary' | 'user_question'
  readonly toolCallId?: string
  readonly payload: JsonValue
}

export interface AnswerAction {
  readonly requestId: string
  readonly payload: JsonValue
}

export interface RuntimeEventActions {
  readonly endInvocation?: boolean
  readonly ending?: InvocationEnding
  /**
   * On a terminal event only, written by the store: a SHA-256 chain in lower-case hex over the (event seq, session seq, payload digest)
   * of every event before it in its invocation. See `ledger/ledger-digest.ts`.
   */
  readonly ledgerDigest?: string
  readonly tokenUsage?: TokenUsage
  readonly request?: RequestAction
  readonly answer?: AnswerAction
  /** What was changed to make the producer's values storable; `path` points into the session event. */
  readonly storableChanges?: readonly StorableChange[]
  /** Facts that have no other place, by name. */
  readonly stateDelta?: JsonObject
}
