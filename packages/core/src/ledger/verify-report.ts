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
  /** Null for the storage as a whole. */
  readonly sessionId: string | null
  readonly invocationId?: string
  readonly eventSeq?: number
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
  readonly sessionId: string
  readonly invocationId?: string
  readonly eventSeq?: number
  readonly message: string
}

export interface VerifyReport {
  /** True when there is no problem. Notes do not count. */
  readonly ok: boolean
  readonly sessions: number
  readonly invocations: number
  readonly events: number
  /** The first `maxVerifyItems`. */
  readonly problems: readonly VerifyProblem[]
  /** The first `maxVerifyItems`. */
  readonly notes: readonly VerifyNote[]
  readonly omittedProblems: number
  readonly omittedNotes: number
}

/** How many problems, and how many notes, a report lists; the rest is counted. */
export const maxVerifyItems: number = 1000
