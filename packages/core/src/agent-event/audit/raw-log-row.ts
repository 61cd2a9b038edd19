/** A row of a delivery log as it lies there, before anything in it is believed. */
export interface RawLogRow {
  /** NaN where it is no number. */
  readonly seq: number
  /** Null where the stored bytes are not text in UTF-8, or are more than an event may have. */
  readonly json: string | null
  /** How many are stored. */
  readonly bytes: number
  readonly writeId: string | null
}
