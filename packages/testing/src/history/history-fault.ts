/** A promise of the ledger that was broken. */
export interface HistoryFault {
  readonly code:
    /** An event was acknowledged and is not in the ledger. */
    | 'missing'
    /** An event was acknowledged as new more than once. */
    | 'acknowledged_twice'
    /** An event has another seq than was acknowledged. */
    | 'seq_differs'
    /** An event is in the ledger more than once. */
    | 'duplicated'
    /** The events of an invocation are not numbered 1, 2, 3 and so on. */
    | 'seq_gap'
    /** The events of a session are not numbered 1, 2, 3 and so on. */
    | 'session_seq_gap'
    /** An invocation has a second terminal event. */
    | 'terminal_repeated'
    /** An event stands after the terminal event of its invocation. */
    | 'not_sealed'
    /** Something was written under an epoch that another had followed. */
    | 'stale_owner'
    /** Two claims got the same epoch. */
    | 'claimed_twice'
    /** An event was appended after another was acknowledged, and stands before it. */
    | 'real_time_order'
    /** A read gave other events than those that the session begins with. */
    | 'not_a_prefix'
    /** A read misses what had been acknowledged, or read, before it began. */
    | 'stale_read'
  /** What it is about, for people. */
  readonly message: string
}
