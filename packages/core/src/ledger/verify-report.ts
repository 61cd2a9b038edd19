/** Something that breaks a promise of the ledger; a ledger with one is not verified. */
export interface VerifyProblem {
  readonly code:
    /** The file itself is damaged, or cannot be read. */
    | 'storage_damaged'
    /** Newer code made the schema, or something says so: only that code can tell whether it is as it was made. */
    | 'schema_newer'
    /** A payload is not the text of an event, or the row of a session is not that of one. */
    | 'unreadable'
    /** An appended payload is not the one JSON text of its event. */
    | 'not_canonical'
    /** A payload is not what was appended. */
    | 'payload_digest'
    /** The events before a terminal one are not those that it was appended to. */
    | 'ledger_digest'
    /** A column says another thing than the payload. */
    | 'columns_differ'
    /** An `eventSeq` is missing. */
    | 'seq_gap'
    /** A `sessionSeq` is missing. */
    | 'session_seq_gap'
    /** The session has the events of an invocation in another order. */
    | 'order_differs'
    | 'opening_missing'
    | 'opening_repeated'
    /** Daybook appended after a terminal event. */
    | 'not_sealed'
    /** A head is missing, or says another thing than the events. */
    | 'head_differs'
    /** A run is missing, or says another thing than the events. */
    | 'run_differs'
    /** Events that were appended to a session which is not there. */
    | 'session_missing'
    /** The index, or a listing of sessions, answers another thing than the rebuild. */
    | 'index_differs'
    /** A revision of a session is missing or cannot be read, or the last is not what the session is. */
    | 'revision_differs'
    /** An opening says another thing than the revision of the session that it names. */
    | 'opening_differs'
    /** What a session branches off from is not there, or not up to that position. */
    | 'parent_missing'
    /** The index of search has other words than what it covers: `rebuildSearch` makes it anew. */
    | 'search_differs'
    /** The index of requests answers another thing than the rebuild. */
    | 'requests_differ'
    /** A row of a delivery log is not the JSON of an event, or what is kept of a log cannot be read. */
    | 'log_unreadable'
    /** A row of a delivery log is missing, or stands where none can be. */
    | 'log_seq_gap'
    /** What is kept of a delivery log beside its rows says another thing than they do. */
    | 'log_columns_differ'
    /** The rows of a delivery log are not one run: it does not begin, something is not ended, or something follows the end. */
    | 'log_invalid'
    /** A delivery log tells another thing than the ledger holds. */
    | 'log_differs'
  /** Null for the storage as a whole, and for the log of no run. */
  readonly sessionId: string | null
  readonly invocationId?: string
  /** The run whose delivery log it is about. */
  readonly runId?: string
  readonly eventSeq?: number
  /** The `seq` of a row of the log. */
  readonly logSeq?: number
  readonly message: string
}

/** Something that a reader should know and that breaks no promise. */
export interface VerifyNote {
  readonly code:
    /** A foreign row after the terminal event: it changes nothing. */
    | 'straggler'
    /** A row that Daybook did not append: nothing tells whether it is as it was written, or how it should be spelled. */
    | 'foreign_row'
    /** The payload was erased; its place and its digest are kept. */
    | 'tombstone'
    /** A foreign row that holds a part of an event; no answer counts it. */
    | 'partial_row'
    /** The invocation has no terminal event yet. */
    | 'unfinished'
    /** The invocation has ended and its delivery log has not: the next to follow the run, or to recover, ends it. */
    | 'log_unfinished'
    /** A delivery log lacks rows and says so, or was given up: what is missing is not held against the ledger. */
    | 'log_incomplete'
    /** A delivery log of a run that is not in the storage, or of another one with its id: only its rows as such are checked. */
    | 'log_without_run'
  /** Null for the log of no run. */
  readonly sessionId: string | null
  readonly invocationId?: string
  /** The run whose delivery log it is about. */
  readonly runId?: string
  readonly eventSeq?: number
  readonly message: string
}

export interface VerifyReport {
  /** True when there is no problem. Notes do not count. */
  readonly ok: boolean
  readonly sessions: number
  readonly invocations: number
  readonly events: number
  /** Delivery logs that are kept in the same storage. */
  readonly logs: number
  /** Rows of those. */
  readonly agentEvents: number
  /** The first `maxVerifyItems`. */
  readonly problems: readonly VerifyProblem[]
  /** The first `maxVerifyItems`. */
  readonly notes: readonly VerifyNote[]
  readonly omittedProblems: number
  readonly omittedNotes: number
}

/** How many problems, and how many notes, a report lists; the rest is counted. */
export const maxVerifyItems: number = 1000
