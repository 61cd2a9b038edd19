import { LedgerDamagedError } from '@daybook/core'
import { decodeCanonicalRuntimeEvent, type StoredRuntimeEvent } from '@daybook/core/canonical-runtime-event'

/** What a driver reads of a row to give its event out. */
export interface StoredRow {
  readonly sessionId: string
  readonly invocationId: string
  readonly eventSeq: number
  readonly sessionSeq: number
  readonly payload: string
  readonly committedAt: number
}

/** Throws `LedgerDamagedError` where the payload is no event. */
export function decodeStoredRow(row: StoredRow): StoredRuntimeEvent {
  const { eventSeq, sessionSeq, committedAt } = row
  try {
    return { event: decodeCanonicalRuntimeEvent(row.payload), eventSeq, sessionSeq, committedAt }
  } catch (error) {
    const position = `event ${eventSeq} of invocation "${row.invocationId}"`
    throw new LedgerDamagedError(row.sessionId, position, (error as Error).message, { cause: error })
  }
}
