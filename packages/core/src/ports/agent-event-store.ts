import type { JsonObject, JsonValue } from '../json/json-value.ts'
import type { Page } from './page.ts'
import type { StorageIdentity } from './storage-identity.ts'

/** An AG-UI event as it is stored: opaque to a store, save for its `type` and, of a CUSTOM one, its `name`. */
export interface AgentEvent extends JsonObject {
  readonly type: string
}

/** One stored event of a run's delivery log. */
export interface AgentEventRow {
  /** Gapless from 1 in its run. */
  readonly seq: number
  readonly event: AgentEvent
}

/** A row to append. */
export interface NewAgentEventRow extends AgentEventRow {
  /**
   * Names this write: after a write whose outcome is unknown it tells one's own row from another writer's. Stores keep it
   * with the row.
   */
  readonly writeId?: string
  /** The row ends the run: the header's `finishedAt` is set to this in the same write, unless it has one. */
  readonly finishedAt?: number
}

/** What a write to the ledger brings for the delivery log of its run: stored in the same transaction, all of it or nothing. */
export interface AgentEventWrites {
  /** Creates the log first, or replaces its header. */
  readonly header?: AgentEventHeader
  /** As `AgentEventStore.append` takes them, one after the other. */
  readonly rows: readonly NewAgentEventRow[]
}

/** What is known of a run's log before its first row. Times are ms since 1970, by whoever opens it. */
export interface AgentEventHeader {
  readonly runId: string
  /** The session, in AG-UI's word. */
  readonly threadId: string
  readonly tenant: string | null
  /** What a follower needs to pass, as the host names it. */
  readonly gates: readonly string[]
  readonly userId: string | null
  readonly operatorId: string | null
  readonly openedAt?: number
  /** Absent while the log is open. */
  readonly finishedAt?: number
  readonly parentRunId?: string
  /** The version of AG-UI that the client declared; absent: older than 1.0. */
  readonly protocolVersion?: string
}

/** Where a run's log stands. */
export interface AgentEventState {
  readonly header: AgentEventHeader
  /** The highest seq, 0 where there is no row. */
  readonly lastSeq: number
  /** Bytes of the events' JSON in UTF-8, of all rows that were ever stored. */
  readonly bytes: number
  /** The lowest seq that is still there, or would be: 1 unless rows were trimmed. */
  readonly floor: number
  /** A row says that the cap was reached: of type CUSTOM with the name `oke.events.truncated`, whatever other rows contain. */
  readonly truncated: boolean
}

export interface AgentEventRunCursor {
  /** `finishedAt`, or `openedAt` of a run that is open; null where it has none. */
  readonly at: number | null
  readonly runId: string
}

/** Rows of a log, read with when it was opened. */
export interface AgentEventPage extends Page<AgentEventRow, number> {
  /** As the header says: tells the log from another one that stands in its place. */
  readonly openedAt?: number
}

/**
 * Where delivery logs are kept. A write that was rejected is kept, or it is not, by the time that `readState` is asked next:
 * who writes looks there which it was. Every method is an own property of the object and none uses `this`, so that a store can be
 * wrapped by spreading it. Ids that a store cannot keep are refused with `InvalidIdError`.
 */
export interface AgentEventStore {
  /** The storage whose ledger can be written in one transaction with the logs; absent where there is none. */
  readonly storage?: StorageIdentity
  /** Creates the run's log. False where there is one, which stays as it is: of those who do so at once one does. */
  createHeader(header: AgentEventHeader): Promise<boolean>
  /** Creates the run's log, or replaces its header; the rows, a claim, and an `openedAt` and `finishedAt` that it has stay. */
  writeHeader(header: AgentEventHeader): Promise<void>
  readHeader(runId: string): Promise<AgentEventHeader | undefined>
  /** Undefined where the log was never opened, or was removed. */
  readState(runId: string): Promise<AgentEventState | undefined>
  /**
   * Stores one row, durable as the store says, and nothing where it throws. Throws `AgentEventDuplicateSeqError` when the
   * run has, or had, a row of this seq, decided by the storage itself; `AgentEventLogNotOpenError` where the run has no
   * header; `InvalidInputError` for a seq that would leave a hole; `InvalidEventError` for an event without JSON text;
   * `PayloadTooLargeError` above 4 MiB of it.
   */
  append(runId: string, row: NewAgentEventRow): Promise<void>
  /** Everything of a run at once; for small logs. Undefined where it has no header. */
  read(
    runId: string,
  ): Promise<{ readonly header: AgentEventHeader; readonly rows: readonly AgentEventRow[] } | undefined>
  /**
   * Rows with a higher seq than `after` (default 0), ascending, at most `limit` (default 100, at most 1000). A page ends
   * earlier with the row with which the JSON of its events has `maxAgentEventPageLength` bytes or characters. No run: none.
   */
  readPage(runId: string, query?: { readonly after?: number; readonly limit?: number }): Promise<AgentEventPage>
  /**
   * The write id of the row; undefined where there is no row, or it was written without one. Throws `InvalidInputError` for
   * what is no seq.
   */
  readWriteId(runId: string, seq: number): Promise<string | undefined>
  /** 0 where there is no row. */
  maxSeq(runId: string): Promise<number>
  truncated(runId: string): Promise<boolean>
  /**
   * Claims the run for a sweep, for `AGENT_EVENT_SWEEP_CLAIM_MS` from `now` on, which is the caller's clock. False where it
   * is claimed, or has no header. A claim is kept with the run and is gone with it.
   */
  claim(runId: string, now: number): Promise<boolean>
  /**
   * Runs that are finished, or are not, at or before `until`, by (time, run id by code point), strictly after the cursor;
   * an open run without a time comes first. By an index, where a store does not say that it has none. A log whose header
   * is damaged is left out: who reads it is told, by `LedgerDamagedError`.
   */
  listRuns(query: {
    readonly finished: boolean
    readonly until: number
    readonly after?: AgentEventRunCursor
    readonly limit?: number
  }): Promise<Page<AgentEventHeader, AgentEventRunCursor>>
  /**
   * Removes the rows below `floor`, which is then where the log begins, unless it begins later. In one write. Throws
   * `AgentEventLogNotOpenError`, and `InvalidInputError` for a floor above the seq that is next.
   */
  trim(runId: string, floor: number): Promise<void>
  /** Removes the log with its rows and claim, in one write. False where there was none. */
  remove(runId: string): Promise<boolean>
  /**
   * Calls the listener when something of the run's log may have changed, in this process or another, until what it returns
   * is called, and when the store is closed; a hint that may come late, twice or for nothing. Absent where a store cannot tell: then who follows polls.
   */
  readonly watch?: (runId: string, listener: () => void) => () => void
  /** What comes after it gets `StorageClosedError`; closing again does nothing. Absent where a connection is not the store's. */
  readonly close?: () => void
}

/** With so much JSON a page of rows ends: a reader that is slow holds this, and one row more, at most. */
export const maxAgentEventPageLength: number = 1_048_576

/** How long a claim for a sweep holds, in ms. */
export const AGENT_EVENT_SWEEP_CLAIM_MS: number = 30_000

/** The name of the CUSTOM event that says that the cap was reached. */
export const agentEventsTruncatedName: string = 'oke.events.truncated'

/** Whether the event says that the cap of its log was reached. */
export function isTruncationMarker({ type, name }: AgentEvent & { readonly name?: JsonValue }): boolean {
  return type === 'CUSTOM' && name === agentEventsTruncatedName
}
