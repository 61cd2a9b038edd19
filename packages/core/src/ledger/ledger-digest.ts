import type { Sha256 } from './sha256.ts'

/** The chain of an invocation before its first event. */
export const emptyLedgerDigest: string = ''

/**
 * The chain one event further: `previous` covers the events before `eventSeq`. A terminal event carries the chain up to
 * the event before it, so a row that was changed, taken away or moved gives another digest.
 */
export function chainLedgerDigest(sha256: Sha256, previous: string, eventSeq: number, payloadDigest: string): string {
  return sha256(`${previous}\n${eventSeq}:${payloadDigest}`)
}
