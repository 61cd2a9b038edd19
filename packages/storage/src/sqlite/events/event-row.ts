import type { StoredRuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { decodeStoredRow } from '../../stored-event.ts'

/** A row of `eventColumns`, in their order. */
export type EventRow = readonly [
  eventSeq: number,
  sessionSeq: number,
  committedAt: number,
  sessionId: string,
  invocationId: string,
  runId: string,
  turnId: string,
  eventId: string,
  payload: string,
  readable: 0 | 1,
]

/**
 * The columns of an event. Foreign rows, which have no digest, count as readable where SQLite reads them as JSON: the
 * trigger that filled their columns could read no other.
 */
export function eventColumns(table: string): string {
  const names = columnNames.map((name) => `${table}.${name}`)
  return `${names.join(', ')}, ${table}.payload_digest IS NOT NULL OR json_valid(${table}.payload_json)`
}

const columnNames = [
  'event_seq',
  'session_seq',
  'committed_at',
  'session_id',
  'invocation_id',
  'run_id',
  'turn_id',
  'event_id',
  'payload_json',
]

export const eventColumnCount: number = columnNames.length + 1

/** Throws `LedgerDamagedError` where the payload is no event, or the event of another row. */
export function decodeEvent(row: EventRow): StoredRuntimeEvent {
  const [eventSeq, sessionSeq, committedAt, sessionId, invocationId, runId, turnId, eventId, payload, readable] = row
  const json = readable === 1 && typeof payload === 'string' ? payload : null
  const ids = { sessionId, invocationId, runId, turnId, eventId }
  return decodeStoredRow({ ...ids, eventSeq, sessionSeq, committedAt, payload: json })
}
