/** Something that breaks a promise of the ledger; a ledger with one is not verified. */
export interface VerifyProblem {
  readonly code:
    | 'index_differs'
    | 'seq_gap'
    | 'session_seq_gap'
    | 'order_differs'
    | 'opening_missing'
    | 'opening_repeated'
    | 'not_sealed'
    | 'not_canonical'
    | 'ids_differ'
    | 'payload_digest'
    | 'ledger_digest'
    | 'head_differs'
    | 'run_differs'
    | 'unreadable'
    | 'storage_damaged'
  readonly sessionId: string
  readonly invocationId?: string
  readonly eventSeq?: number
  readonly message: string
}

/** Something that a reader should know and that breaks no promise. */
export interface VerifyNote {
  readonly code: 'straggler' | 'foreign_row' | 'tombstone' | 'unfinished' | 'partial_row'
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
  readonly problems: readonly VerifyProblem[]
  readonly notes: readonly VerifyNote[]
}
