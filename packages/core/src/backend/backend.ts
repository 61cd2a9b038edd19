import type { JsonValue } from '../json/json-value.ts'
import type { RequestRecord } from '../request/request-record.ts'
import type { RequestWait } from '../runtime-event/actions.ts'
import type { PlatformAbortSignal } from './platform-abort-signal.ts'
import type { SessionEvent } from '../session-event/session-event.ts'
import type { SessionRecord } from '../ports/session-store.ts'
import type { ModelMessage } from '../transcript/model-message.ts'

/** One user message for the backend to answer, or a turn to go on with. */
export interface BackendSendInput {
  readonly turnId: string
  readonly invocationId: string
  readonly runId: string
  /** Empty in a continuation: its user text is in the history. */
  readonly text: string
  /**
   * Everything said before this message, rebuilt from the ledger; does not contain `text`. In a continuation it ends with
   * the turn so far, where a call of `openCalls` has a result `not_answered` in place of the one it has yet to get.
   */
  readonly history: readonly ModelMessage[]
  readonly continuation?: BackendContinuation
  /** Aborted when the turn is stopped, its consumer left, or it cannot go on; `stop` is called as well. */
  readonly abortSignal: PlatformAbortSignal
}

/**
 * Why a turn goes on. `answers`: it ended as waiting, and everything that it asked is answered. `attach` and `replay`: it
 * was interrupted, and is gone on with as the backend declared.
 */
export interface BackendContinuation {
  readonly kind: 'answers' | 'attach' | 'replay'
  /** The invocation that it goes on from. */
  readonly of: string
  /** Everything that the turn asked, with what became of it. */
  readonly requests: readonly RequestRecord[]
  /** The calls that a person approved, to be run now; each needs one `tool_result`. Finished ones are in the history. */
  readonly openCalls: readonly ApprovedCall[]
}

export interface ApprovedCall {
  readonly toolCallId: string
  readonly toolName: string
  /** What to run with: where the person changed the arguments, theirs. */
  readonly args: JsonValue
  /** The person changed the arguments. */
  readonly changed: boolean
}

export interface SandboxBoundaryResponse {
  readonly requestId: string
  readonly decision: 'approved' | 'denied'
  /** With `approved`: the arguments to run with, in place of those that were asked for. */
  readonly args?: JsonValue
  readonly reason?: string
}

/** What a backend can do, as data. */
export interface BackendCapabilities {
  /** How it gets the answers to what it asks. Default `later`. */
  readonly answers?: RequestWait
  /**
   * How it goes on with a turn that was interrupted, by a crash or a stop: it finds the work that still runs elsewhere
   * (`attach`), it works on from what the ledger has of the turn (`replay`), or it is asked the same again (`rerun`: a
   * retry). Default not at all: the caller gets `UnsupportedError`.
   */
  readonly resume?: 'attach' | 'replay' | 'rerun'
}

export interface UserQuestionResponse {
  readonly requestId: string
  /** Absent where nobody answered in time. */
  readonly answer?: unknown
}

/**
 * What drives a model or another agent for one session.
 *
 * `send` is pulled one event at a time: each event's fact is committed before the next is asked for, so a backend is
 * never more than one event ahead of the ledger. It ends with `complete` or `abort`; whatever it does instead (throwing,
 * ending early, going on afterwards) the runtime still writes exactly one terminal event.
 */
export interface AgentBackend {
  readonly kind: string
  readonly sessionId: string
  /** The same for the backend's life. */
  readonly capabilities?: BackendCapabilities
  send(input: BackendSendInput): AsyncIterable<SessionEvent>
  /** Asks the running `send` to end soon; called at most once a turn. */
  stop(reason: string): Promise<void>
  /** Called only where `answers` is `live`, once for each request, while its `send` runs; what has expired is denied. */
  respondToSandboxBoundary(response: SandboxBoundaryResponse): Promise<void>
  respondToUserQuestion?(response: UserQuestionResponse): Promise<void>
  /** Frees what the backend holds; no call follows it. */
  dispose(): Promise<void>
}

export interface BackendContext {
  readonly sessionId: string
  readonly session: SessionRecord
}

export type BackendFactory = (context: BackendContext) => AgentBackend | Promise<AgentBackend>
