import type { StopReason, TokenUsage } from '../runtime-event/actions.ts'
import type { ToolOutcome } from '../runtime-event/content.ts'

interface SessionEventBase {
  /** Unique inside the turn's invocation; a repeat with the same content is the same event. */
  readonly id: string
  readonly turnId: string
  /** The backend's clock in ms since 1970; may be anything that is a safe integer. */
  readonly ts: number
  /** Names of the sub-agents from the outermost to the one that produced this: at most 32, each of at most 200 bytes. */
  readonly agentPath?: readonly string[]
  /** One model call of the backend; events of one step form one message for the next call. */
  readonly stepId?: string
}

/** A piece of text. Pieces of one `messageId` concatenate; `text_complete` carries the whole. */
export interface TextDeltaEvent extends SessionEventBase {
  readonly type: 'text_delta'
  readonly messageId: string
  readonly text: string
}
export interface TextCompleteEvent extends SessionEventBase {
  readonly type: 'text_complete'
  readonly messageId: string
  readonly text: string
  /** The text was cut off: its producer never completed it. */
  readonly interrupted?: true
  /** What the provider wants back unchanged in the next call, such as the id of an item. */
  readonly providerMetadata?: unknown
}
export interface ThinkingDeltaEvent extends SessionEventBase {
  readonly type: 'thinking_delta'
  readonly messageId: string
  readonly text: string
}
export interface ThinkingCompleteEvent extends SessionEventBase {
  readonly type: 'thinking_complete'
  readonly messageId: string
  readonly text: string
  /** The thinking was cut off: its producer never completed it. */
  readonly interrupted?: true
  /** What the provider wants back unchanged in the next call, such as a signature. */
  readonly providerMetadata?: unknown
}
/** A piece of a tool call's arguments while the model writes them. Never stored: `tool_start` carries the whole. */
export interface ToolInputDeltaEvent extends SessionEventBase {
  readonly type: 'tool_input_delta'
  readonly toolCallId: string
  readonly toolName: string
  readonly text: string
}
/** The model asked for a tool. It is committed before the backend is asked for its next event. */
export interface ToolStartEvent extends SessionEventBase {
  readonly type: 'tool_start'
  readonly toolCallId: string
  /** At most 1000 bytes. */
  readonly toolName: string
  readonly args: unknown
  readonly providerExecuted?: true
  readonly providerMetadata?: unknown
}
/** A preview of a result while the tool runs. Never stored; a later one replaces it. */
export interface ToolResultPreviewEvent extends SessionEventBase {
  readonly type: 'tool_result_preview'
  readonly toolCallId: string
  readonly result: unknown
}
export interface ToolResultEvent extends SessionEventBase {
  readonly type: 'tool_result'
  readonly toolCallId: string
  /** May be left out where the call's `tool_start` named it. */
  readonly toolName?: string
  /** Absent means `ok`. */
  readonly outcome?: ToolOutcome
  readonly result: unknown
  readonly durationMs?: number
  readonly providerExecuted?: true
  readonly providerMetadata?: unknown
}
/** Something that an answer rests on. */
export interface SourceEvent extends SessionEventBase {
  readonly type: 'source'
  readonly sourceId: string
  readonly url?: string
  readonly title?: string
  readonly mediaType?: string
  readonly providerMetadata?: unknown
}
/** A file that the model made. `data` is base64 and counts towards the 1 MiB of an event. */
export interface FileEvent extends SessionEventBase {
  readonly type: 'file'
  readonly messageId: string
  readonly mediaType: string
  readonly data: string
  readonly providerMetadata?: unknown
}
export interface TokenUsageEvent extends SessionEventBase {
  readonly type: 'token_usage'
  readonly usage: TokenUsage
}
interface RequestEventBase extends SessionEventBase {
  /** Unique in the session: a backend that numbers its requests puts the turn's invocation before the number. */
  readonly requestId: string
  readonly toolCallId?: string
  /** How long the person has, in ms from the commit, by the store's clock; then it counts as denied. Default: no limit. */
  readonly expiresInMs?: number
}
/**
 * A person must allow something before it happens. A backend whose answers come `later` ends its turn with
 * `complete` and `waiting`; one whose answers come `live` waits for `respondToSandboxBoundary`.
 */
export interface SandboxBoundaryRequestEvent extends RequestEventBase {
  readonly type: 'sandbox_boundary_request'
  readonly request: unknown
}
/** The backend has the decision. It also closes a request that was decided without the store. */
export interface SandboxBoundaryDecisionAckEvent extends SessionEventBase {
  readonly type: 'sandbox_boundary_decision_ack'
  readonly requestId: string
  readonly decision: 'approved' | 'denied'
}
/** A person is asked something; with a `toolCallId` the answer is the result of that call. */
export interface UserQuestionRequestEvent extends RequestEventBase {
  readonly type: 'user_question_request'
  readonly question: unknown
}
/** The backend has the answer. It also closes a question that was answered without the store. */
export interface UserQuestionAnswerAckEvent extends SessionEventBase {
  readonly type: 'user_question_answer_ack'
  readonly requestId: string
}
/** A new attempt of the backend at the same call. For people who watch; never stored. */
export interface ProviderRetryEvent extends SessionEventBase {
  readonly type: 'provider_retry'
  readonly message: string
}
/** A fact of the backend that has no type here, kept whole under its name. */
export interface CustomEvent extends SessionEventBase {
  readonly type: 'custom'
  readonly name: string
  readonly value: unknown
}
/** Something failed. The turn goes on until `complete`, which then counts as failed. */
export interface ErrorEvent extends SessionEventBase {
  readonly type: 'error'
  readonly message: string
  readonly code?: string
}
/** The backend was stopped: a terminal. */
export interface AbortEvent extends SessionEventBase {
  readonly type: 'abort'
  readonly source?: string
}
/** The backend is done: a terminal. */
export interface CompleteEvent extends SessionEventBase {
  readonly type: 'complete'
  readonly stopReason: StopReason
}

/** What a backend yields while it works. */
export type SessionEvent =
  | TextDeltaEvent
  | TextCompleteEvent
  | ThinkingDeltaEvent
  | ThinkingCompleteEvent
  | ToolInputDeltaEvent
  | ToolStartEvent
  | ToolResultPreviewEvent
  | ToolResultEvent
  | SourceEvent
  | FileEvent
  | TokenUsageEvent
  | SandboxBoundaryRequestEvent
  | SandboxBoundaryDecisionAckEvent
  | UserQuestionRequestEvent
  | UserQuestionAnswerAckEvent
  | ProviderRetryEvent
  | CustomEvent
  | ErrorEvent
  | AbortEvent
  | CompleteEvent

export type SessionEventType = SessionEvent['type']

/** What a newer backend yields: a type that this version does not know. Its fact keeps every field. */
export interface UnknownSessionEvent extends SessionEventBase {
  readonly type: string
  readonly [field: string]: unknown
}
