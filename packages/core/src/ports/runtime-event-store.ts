import type { InvocationRecord } from '../invocation/invocation-record.ts'
import type { RuntimeEvent, StoredRuntimeEvent } from '../runtime-event/runtime-event.ts'
import type { VerifyReport } from '../ledger/verify-report.ts'
import type { Page } from './page.ts'
import type { StorageIdentity } from './storage-identity.ts'

export interface AppendRequest {
  readonly invocationId: string
  /** The epoch under which the caller owns the run. */
  readonly epoch: number
  /** Stored in this order, all or none. A terminal event can only be the last. */
  readonly events: readonly RuntimeEvent[]
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

/** The ledger. Every promise of an append resolves only after the commit is as durable as the driver says. */
export interface RuntimeEventStore {
  readonly storage: StorageIdentity
  /**
   * Appends in one transaction. For each event the checks run in this order: same id and same bytes → its stored seq;
   * same id, other bytes → `EventIdConflictError`; another epoch → `StaleOwnerError`; sealed → `RunSealedError`.
   * An invocation without a head → `RunNotFoundError`. A terminal event finishes its run in the same transaction.
   * Also throws `InvalidEventError`, `NotCanonicalError`, `PayloadTooLargeError` before anything is written.
   */
  append(request: AppendRequest): Promise<readonly AppendedEvent[]>
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
  /** All events of one session by `sessionSeq`. */
  readSessionRuntimeEvents(sessionId: string): Promise<readonly StoredRuntimeEvent[]>
  /** All invocations of the session, oldest first by (openedAt, invocation id by code point). */
  listSessionInvocations(sessionId: string): Promise<InvocationRecord[]>
  /** Invocations newest first, strictly before the cursor. */
  listSessionInvocationsPage(
    sessionId: string,
    query?: { readonly before?: InvocationCursor; readonly limit?: number },
  ): Promise<Page<InvocationRecord, InvocationCursor>>
  /**
   * Checks one session, or the whole storage, against everything the ledger promises, and reports what is damaged instead
   * of throwing. `verifySession` throws `SessionNotFoundError` where nothing is stored of the session.
   */
  verifySession(sessionId: string): Promise<VerifyReport>
  verifyStore(): Promise<VerifyReport>
  close(): void
}
