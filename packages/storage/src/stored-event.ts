import { foreignEvent, LedgerDamagedError } from '@daybook/core'
import { decodeCanonicalRuntimeEvent, type StoredRuntimeEvent } from '@daybook/core/canonical-runtime-event'

/** What a driver reads of a row to give its event out. */
export interface StoredRow {
  readonly sessionId: string
  readonly invocationId: string
  readonly runId: string
  readonly turnId: string
  readonly eventId: string
  readonly eventSeq: number
  readonly sessionSeq: number
  readonly committedAt: number
  /** Null where it is not JSON. */
  readonly payload: string | null
  readonly isForeign: boolean
}

/** Throws `LedgerDamagedError` where the payload is no event or, on a row that was appended, the event of another row. */
export function decodeStoredRow(row: StoredRow): StoredRuntimeEvent {
  const { eventSeq, sessionSeq, committedAt } = row
  const event = decode(row)
  if (row.isForeign) return { event: foreignEvent(event, row), eventSeq, sessionSeq, committedAt }
  const same =
    event.id === row.eventId &&
    event.sessionId === row.sessionId &&
    event.invocationId === row.invocationId &&
    event.runId === row.runId &&
    event.turnId === row.turnId
  if (!same) throw damaged(row, 'the payload is of another event than the row')
  return { event, eventSeq, sessionSeq, committedAt }
}

function decode(row: StoredRow): StoredRuntimeEvent['event'] {
  try {
    return decodeCanonicalRuntimeEvent(row.payload ?? '')
  } catch (error) {
    throw damaged(row, (error as Error).message, error)
  }
}

function damaged(
  { sessionId, invocationId, eventSeq }: StoredRow,
  problem: string,
  cause?: unknown,
): LedgerDamagedError {
  return new LedgerDamagedError(sessionId, `event ${eventSeq} of invocation "${invocationId}"`, problem, { cause })
}
