import type { Sha256 } from './sha256.ts'

/** The chain of an invocation before its first event. */
export const emptyLedgerDigest: string = ''

/** What the chain takes of a row: its place in its invocation, its place in its session, and what it says. */
export interface ChainedRow {
  readonly eventSeq: number
  readonly sessionSeq: number
  /** SHA-256 of the payload's bytes in lower-case hex. */
  readonly payloadDigest: string
}

/**
 * The chain one event further: `previous` covers the events before it. A terminal event carries the chain up to the
 * event before it, so a row that was changed, taken away or moved, in its invocation or in its session, gives another
 * digest.
 */
export function chainLedgerDigest(
  sha256: Sha256,
  previous: string,
  { eventSeq, sessionSeq, payloadDigest }: ChainedRow,
): string {
  return sha256(`${previous}\n${eventSeq}:${sessionSeq}:${payloadDigest}`)
}
