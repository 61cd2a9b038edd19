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

/**
 * How a backend gets the answer to what it asked. `later`: it ends its invocation as waiting, and the answer opens a
 * continuation. `live`: it waits inside its invocation, which stays open under its lease.
 */
export type RequestWait = 'later' | 'live'

/** Something that a person is asked. What closes it is told in `request/request-record.ts`. */
export interface RequestAction {
  /** Unique in its session. */
  readonly requestId: string
  readonly kind: 'sandbox_boundary' | 'user_question'
  /** The open call that the answer decides about. */
  readonly toolCallId?: string
  /** What the person is shown. An answer names its digest, so that it cannot be applied to anything else. */
  readonly payload: JsonValue
  /** Absent means `later`. */
  readonly wait?: RequestWait
  /** How long it can be answered, from its commit and by the store's clock, in ms. Absent: until it is closed otherwise. */
  readonly expiresInMs?: number
}

/** `approved` and `denied` answer a boundary, `answered` a question; `expired` is what nobody answered in time, a denial. */
export type AnswerOutcome = 'approved' | 'denied' | 'answered' | 'expired'

/** A person's answer. A store takes one for each request, while it is open. */
export interface AnswerAction {
  readonly requestId: string
  /** The digest of the request as it was shown: see `request/request-digest.ts`. */
  readonly requestDigest: string
  readonly outcome: AnswerOutcome
  /** With `approved`: the arguments to run with, in place of those that were asked for. */
  readonly args?: JsonValue
  /** With `answered`: what was said. */
  readonly answer?: JsonValue
  readonly reason?: string
  /** Who answered, as the caller names them. */
  readonly by?: string
}

/** A backend's word that it has an answer. It closes a request that the backend had answered without the store. */
export interface AnswerAckAction {
  readonly requestId: string
  readonly decision?: 'approved' | 'denied'
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
  readonly answerAck?: AnswerAckAction
  /** What was changed to make the producer's values storable; `path` points into the session event. */
  readonly storableChanges?: readonly StorableChange[]
  /** Facts that have no other place, by name. */
  readonly stateDelta?: JsonObject
}
