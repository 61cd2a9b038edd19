import type { InvocationRecord } from '../invocation/invocation-record.ts'
import type { RuntimeEvent, StoredRuntimeEvent } from '../runtime-event/runtime-event.ts'
import type { VerifyReport } from '../ledger/verify-report.ts'
import type { RequestRecord } from '../request/request-record.ts'
import type { AgentEventWrites } from './agent-event-store.ts'
import type { RunOwner } from './agent-run-store.ts'
import type { Page } from './page.ts'
import type { SessionScope } from './session-store.ts'
import type { StorageIdentity } from './storage-identity.ts'

export interface AppendRequest {
  readonly invocationId: string
  /** The epoch under which the caller owns the run. */
  readonly epoch: number
  /** Stored in this order, all or none. A terminal event can only be the last. */
  readonly events: readonly RuntimeEvent[]
  /** For the delivery log of the invocation's run. */
  readonly agentEvents?: AgentEventWrites
}

export interface AppendedEvent {
  readonly eventId: string
  readonly eventSeq: number
  readonly sessionSeq: number
  /** It was stored before, with the same bytes. */
  readonly duplicate: boolean
}

export interface InvocationCursor {
  readonly openedAt: number
  readonly invocationId: string
}

export interface RequestCursor {
  readonly requestedAt: number
  readonly sessionId: string
  readonly requestId: string
}

/** The ledger. Every promise of an append resolves only after the commit is as durable as the driver says. */
export interface RuntimeEventStore {
  readonly storage: StorageIdentity
  /**
   * Appends in one transaction. For each event the checks run in this order: same id and same bytes → its stored seq;
   * same id, other bytes → `EventIdConflictError`; another epoch → `StaleOwnerError`; sealed → `RunSealedError`.
   * An invocation without a head → `RunNotFoundError`. A terminal event finishes its run in the same transaction.
   * Then `checkRequests` has its say about what the new events ask and answer, and the delivery log about its rows:
   * `AgentEventLogNotOpenError`, `AgentEventDuplicateSeqError`, also where all events were stored before.
   * Also throws `InvalidEventError`, `NotCanonicalError`, `PayloadTooLargeError` before anything is written.
   */
  append(request: AppendRequest): Promise<readonly AppendedEvent[]>
  /**
   * Appends answers, and nothing else (`InvalidEventError`), to an invocation that somebody else may drive: whoever answers
   * needs no epoch. For the rest as `append`; to an invocation that has ended a continuation brings the answers.
   */
  appendAnswers(request: Omit<AppendRequest, 'epoch' | 'agentEvents'>): Promise<readonly AppendedEvent[]>
  /** Events of one run by `eventSeq`, after the given one (default 0). */
  readRunRuntimeEvents(
    runId: string,
    query?: { readonly after?: number; readonly limit?: number },
  ): Promise<Page<StoredRuntimeEvent, number>>
  /** Events of one session by `sessionSeq`, after the given one (default 0). */
  readSessionRuntimeEventsPage(
    sessionId: string,
    query?: { readonly after?: number; readonly limit?: number },
  ): Promise<Page<StoredRuntimeEvent, number>>
  /** Events of one session from the newest on, strictly before the given `sessionSeq` (default the end). */
  readNewestSessionRuntimeEventsPage(
    sessionId: string,
    query?: { readonly before?: number; readonly limit?: number },
  ): Promise<Page<StoredRuntimeEvent, number>>
  /** All events of one session by `sessionSeq`. */
  readSessionRuntimeEvents(sessionId: string): Promise<readonly StoredRuntimeEvent[]>
  /** All invocations of the session, oldest first by (openedAt, invocation id by code point). */
  listSessionInvocations(sessionId: string): Promise<InvocationRecord[]>
  /** Invocations newest first, strictly before the cursor. */
  listSessionInvocationsPage(
    sessionId: string,
    query?: { readonly before?: InvocationCursor; readonly limit?: number },
  ): Promise<Page<InvocationRecord, InvocationCursor>>
  /** What was asked under this id, whatever became of it. Undefined where nothing was, or not in the scope. */
  readRequest(sessionId: string, requestId: string, scope: SessionScope): Promise<RequestRecord | undefined>
  /** What can be answered now, in one session or in all of the scope, oldest first by (requestedAt, session id, request id). */
  listOpenRequests(query: {
    readonly scope: SessionScope
    readonly sessionId?: string
    readonly after?: RequestCursor
    readonly limit?: number
  }): Promise<Page<RequestRecord, RequestCursor>>
  /** Everything that a turn asked, in the order of the ledger, with what became of it. */
  listTurnRequests(sessionId: string, turnId: string): Promise<readonly RequestRecord[]>
  /**
   * Which of these need no answer any more, because they have one or have expired; of those that unfinished runs of this
   * owner asked. Cheap enough to be asked every few milliseconds.
   */
  listSettledRequests(
    owner: RunOwner,
    awaited: readonly Pick<RequestRecord, 'sessionId' | 'requestId'>[],
  ): Promise<readonly RequestRecord[]>
  /**
   * Requests of turns that wait, in any session, that have expired and are still open: by (expiresAt, session id, request
   * id), strictly after the given one, at most `limit`.
   */
  listExpiredRequests(query?: {
    readonly after?: Pick<RequestRecord, 'expiresAt' | 'sessionId' | 'requestId'>
    readonly limit?: number
  }): Promise<readonly RequestRecord[]>
  /**
   * Checks one session, or the whole storage, against everything the ledger promises, and reports what is damaged instead
   * of throwing. `verifySession` throws `SessionNotFoundError` where nothing is stored of the session.
   */
  verifySession(sessionId: string): Promise<VerifyReport>
  verifyStore(): Promise<VerifyReport>
  close(): void
}
