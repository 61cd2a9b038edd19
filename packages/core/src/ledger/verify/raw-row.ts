/** A row of the ledger as it lies there, before anything in it is believed. */
export interface RawRow {
  readonly sessionId: string
  readonly invocationId: string
  readonly runId: string
  readonly turnId: string
  readonly eventId: string
  readonly eventSeq: number
  readonly sessionSeq: number | null
  readonly eventKind: string
  /** What the index takes for the opened time; only that of event 1 counts. */
  readonly openedAt: number | null
  readonly committedAt: number
  /** Whether the index takes the event for a terminal one. */
  readonly terminal: boolean
  /** Null where the stored bytes are not text in UTF-8. */
  readonly payload: string | null
  /** The digest that the append stored; null on a foreign row. Digests are SHA-256 in lower-case hex. */
  readonly payloadDigest: string | null
  /** The digest of the bytes as they lie there now. */
  readonly bytesDigest: string
  /** When the payload was erased; such a row keeps its seqs and its digest. */
  readonly erasedAt: number | null
}
