import type { InvocationCursor, InvocationHead, Page, PlacedRow, RawRow, RunRecord } from '@daybook/core'
import type { InvocationRecord } from '@daybook/core/runtime-invocation'

/** What verify reads of a driver's storage, as it lies there. Nothing of it throws for what a row holds, but the index. */
export interface AuditSource {
  /** Runs several reads on one and the same state of the storage. */
  read<Result>(reads: () => Result): Result
  /** What is wrong with the storage as such, in words. */
  integrity(): readonly string[]
  /** All sessions that were created or that an event names. */
  sessionIds(): Iterable<string>
  sessionExists(sessionId: string): boolean
  /** Rows of the session by `sessionSeq`. */
  placedRows(sessionId: string, after: number, limit: number): readonly PlacedRow[]
  /** Rows of the invocation in this session by `eventSeq`. */
  rawRows(sessionId: string, invocationId: string, after: number, limit: number): readonly RawRow[]
  readHead(invocationId: string): InvocationHead | undefined
  readRun(runId: string): RunRecord | undefined
  /** Heads and runs of invocations without an event in their session; of one session, or of all. At most `limit`. */
  withoutEvents(sessionId: string | null, limit: number): readonly InvocationIds[]
  /** The index, newest first. Throws `LedgerDamagedError` where it cannot answer. */
  indexPage(
    sessionId: string,
    before: InvocationCursor | undefined,
    limit: number,
  ): Page<InvocationRecord, InvocationCursor>
}

export interface InvocationIds {
  readonly sessionId: string
  readonly invocationId: string
}
