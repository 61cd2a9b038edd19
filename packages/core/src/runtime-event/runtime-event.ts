import type { RuntimeEventActions } from './actions.ts'
import type { RuntimeEventContent } from './content.ts'

export type RuntimeEventRole = 'system' | 'user' | 'model' | 'tool'
export type RuntimeEventAuthor = 'system' | 'user' | 'agent' | 'tool' | 'host'
/** How an invocation ended; only terminal events carry a status. */
export type TerminalStatus = 'completed' | 'failed' | 'aborted' | 'cancelled' | 'waiting'

/** What an event points at; every field is an id of the producer. */
export interface RuntimeEventRefs {
  /** The message or reasoning block that the event belongs to, unique inside its invocation. */
  readonly messageId?: string
  readonly toolCallId?: string
  /** One model call; events of one step form one message for the next call. */
  readonly stepId?: string
  readonly requestId?: string
}

/**
 * An immutable canonical fact in the ledger. It has exactly one JSON text (`encodeCanonicalRuntimeEvent`).
 * The store mints its order: no field here, `ts` included, says where it stands.
 */
export interface RuntimeEvent {
  /** Version of the event's shape; absent means 1. */
  readonly v?: number
  /** The producer's id: an idempotency key inside its invocation. At most 200 bytes, well-formed, no NUL. */
  readonly id: string
  readonly sessionId: string
  readonly invocationId: string
  readonly runId: string
  readonly turnId: string
  /** The producer's clock in ms since 1970; may be anything that is a safe integer. */
  readonly ts: number
  /** Always false in a ledger: partial text never is a fact. */
  readonly partial: false
  readonly role: RuntimeEventRole
  readonly author: RuntimeEventAuthor
  /** Whether the next model call may see it. */
  readonly modelVisibility: 'visible' | 'hidden'
  readonly status?: TerminalStatus
  readonly content?: RuntimeEventContent
  readonly actions?: RuntimeEventActions
  readonly refs?: RuntimeEventRefs
  /** Names of the sub-agents from the outermost to the one that produced this: at most 32, each of at most 200 bytes. */
  readonly agentPath?: readonly string[]
}

/** An event with the order that the store gave it. */
export interface StoredRuntimeEvent {
  readonly event: RuntimeEvent
  /** Gapless from 1 in its invocation. */
  readonly eventSeq: number
  /** Gapless from 1 in its session; sessions are read in this order. */
  readonly sessionSeq: number
  /** The store's clock at commit, in ms since 1970. For people: nothing is ordered by it. */
  readonly committedAt: number
}
