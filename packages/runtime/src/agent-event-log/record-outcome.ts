/** What became of an event. */
export type RecordOutcome = RowOutcome | { readonly outcome: 'buffered' }

/** What became of a row. */
export type RowOutcome =
  /** It is stored, a delta joined to others of its stream maybe. */
  | { readonly outcome: 'stored'; readonly seq: number }
  /** A delta of a log that has as much as it may have; a marker in it says so. */
  | { readonly outcome: 'dropped' }
  /**
   * The store refused it twice, or could not store the beginning of its span: a marker says so before the next row. Then
   * the beginning of a run and the end of a span are written again; who lost the end of a run is to record it again.
   */
  | { readonly outcome: 'lost'; readonly error: unknown }
