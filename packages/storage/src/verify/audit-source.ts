import type {
  AgentEventState,
  IndexedRequest,
  InvocationCursor,
  InvocationHead,
  Page,
  PlacedRow,
  RawLogRow,
  RawRow,
  RunRecord,
  SessionRecord,
  VerifyProblem,
} from '@daybook/core'
import type { InvocationRecord } from '@daybook/core/runtime-invocation'

/** How verify reads a driver's storage. */
export interface AuditSource {
  /** Runs a few short reads on one and the same state of the storage, perhaps more than once. */
  read<Result>(reads: (reader: AuditReader) => Result): Promise<Result>
}

/** What lies in a storage, as it lies there: nothing throws for what a row holds, except for the index. */
export interface AuditReader {
  /** What is wrong with the storage as such. May take as long as reading all of it, and block meanwhile. */
  integrity(): readonly Pick<VerifyProblem, 'code' | 'message'>[]
  /** The next session, by id, that was created or that an event or a request names; after null the first. */
  nextSessionId(after: string | null): string | undefined
  /** Undefined where it was not created. */
  findSession(sessionId: string): FoundSession | undefined
  /** By revision. */
  revisions(sessionId: string, after: number, limit: number): readonly RevisionRow[]
  /** Whether the listings of sessions have it where they should, and nowhere else. */
  isListed(session: SessionRecord): boolean
  /** Rows of the session by `sessionSeq`. */
  placedRows(sessionId: string, after: number, limit: number): readonly PlacedRow[]
  /** Rows of the invocation in this session by `eventSeq`. */
  rawRows(sessionId: string, invocationId: string, after: number, limit: number): readonly RawRow[]
  /** Rows of the session, whole, by `sessionSeq`. */
  sessionRows(sessionId: string, after: number, limit: number): readonly RawRow[]
  /** The index of requests of the session, by id, at first after null. */
  requests(sessionId: string, after: string | null, limit: number): readonly IndexedRequest[]
  readHead(invocationId: string): InvocationHead | undefined
  readRun(runId: string): RunRecord | undefined
  /**
   * Looks at some heads, or runs, from where `next` of the call before says, at first after null. Gives those, of one
   * session or of all, whose invocation has no event in their session.
   */
  withoutEvents(what: 'heads' | 'runs', sessionId: string | null, after: string | null): EventlessPage
  /** The delivery log of the run as it stands; undefined where there is none. */
  findLog(runId: string): FoundLog | undefined
  /** Rows of the run's log by `seq`, at most a page. */
  logRows(runId: string, after: number): LogRowsPage
  /**
   * Looks at some logs, from where `next` of the call before says, at first after null. Gives the run ids of those whose
   * run is not in the storage.
   */
  logsWithoutRun(after: string | null): LogsPage
  /** The index, newest first. Throws `LedgerDamagedError` where it cannot answer. */
  indexPage(
    sessionId: string,
    before: InvocationCursor | undefined,
    limit: number,
  ): Page<InvocationRecord, InvocationCursor>
}

/** A session, or why it cannot be read. */
export type FoundSession =
  | { readonly record: SessionRecord; readonly damage?: never }
  | { readonly record?: never; readonly damage: string }

/** A log, or why it cannot be read. */
export type FoundLog =
  | { readonly state: AgentEventState; readonly damage?: never }
  | { readonly state?: never; readonly damage: string }

export interface LogRowsPage {
  readonly rows: readonly RawLogRow[]
  /** These are not the last ones. */
  readonly hasMore: boolean
}

export interface LogsPage {
  readonly runIds: readonly string[]
  /** Null when all were looked at. */
  readonly next: string | null
}

export interface RevisionRow {
  readonly revision: number
  readonly session?: SessionRecord
  /** Why it cannot be read. */
  readonly damage?: string
}

export interface EventlessPage {
  readonly items: readonly InvocationIds[]
  /** Null when all were looked at. */
  readonly next: string | null
}

export interface InvocationIds {
  readonly sessionId: string
  readonly invocationId: string
}
