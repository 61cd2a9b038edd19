import type { InvocationHead, OpenedStorage, RawRow, RequestRecord, RunRecord } from '@daybook/core'
import type { RunIds } from '../src/conformance/samples.ts'
import type { ForeignRow } from '../src/foreign-row.ts'

/** The columns of an event, named as `RawRow` names them. `payload` may be bytes that are not UTF-8. */
export type EventChanges = Partial<Omit<RawRow, 'bytesDigest' | 'payload'>> & { readonly payload?: string | Buffer }
export type HeadChanges = Partial<InvocationHead>
export type RunChanges = Partial<Pick<RunRecord, 'turnId' | 'openedAt' | 'finishedAt' | 'state' | 'epoch'>>

/** The last three are columns of SQLite alone. */
export type RequestChanges = Partial<
  Pick<RequestRecord, 'sessionId' | 'requestId' | 'runId' | 'turnId' | 'wait' | 'requestedAt' | 'expiresAt' | 'state'>
> & { readonly tenant?: string | null; readonly sessionSeq?: number; readonly answerSessionSeq?: number | null }

/** A storage, and a hand that changes what it stored behind its back. */
export interface Tampered {
  readonly storage: OpenedStorage
  insertForeignRow(row: ForeignRow): void
  payloadOf(ids: RunIds, eventSeq: number): string
  updateEvent(ids: RunIds, eventSeq: number, changes: EventChanges): void
  deleteEvent(ids: RunIds, eventSeq: number): void
  updateHead(ids: RunIds, changes: HeadChanges): void
  deleteHead(ids: RunIds): void
  updateRun(ids: RunIds, changes: RunChanges): void
  deleteRun(ids: RunIds): void
  updateRequest(sessionId: string, requestId: string, changes: RequestChanges): void
  deleteRequest(sessionId: string, requestId: string): void
  /** Adds what the index has of a request again, changed. */
  copyRequest(sessionId: string, requestId: string, changes: RequestChanges): void
  deleteSession(ids: RunIds): void
  /** Closes the storage and removes what it stored. */
  dispose(): void
}
