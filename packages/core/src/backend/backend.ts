import type { PlatformAbortSignal } from './platform-abort-signal.ts'
import type { SessionEvent } from '../session-event/session-event.ts'
import type { SessionRecord } from '../ports/session-store.ts'
import type { ModelMessage } from '../transcript/model-message.ts'

/** One user message for the backend to answer. */
export interface BackendSendInput {
  readonly turnId: string
  readonly invocationId: string
  readonly runId: string
  readonly text: string
  /** Everything said before this message, rebuilt from the ledger; does not contain `text`. */
  readonly history: readonly ModelMessage[]
  /** Aborted when the turn is stopped, its consumer left, or it cannot go on; `stop` is called as well. */
  readonly abortSignal: PlatformAbortSignal
}

export interface SandboxBoundaryResponse {
  readonly requestId: string
  readonly decision: 'approved' | 'denied'
  readonly reason?: string
}

export interface UserQuestionResponse {
  readonly requestId: string
  readonly answer: unknown
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
  send(input: BackendSendInput): AsyncIterable<SessionEvent>
  /** Asks the running `send` to end soon; called at most once a turn. */
  stop(reason: string): Promise<void>
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
