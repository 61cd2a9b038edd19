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
  /** 1 on a row without a digest. */
  foreign: 0 | 1,
  readable: 0 | 1,
]

/**
 * The columns of an event. Foreign rows, which have no digest, count as readable where SQLite reads them as JSON: the
 * trigger that filled their columns could read no other.
 */
export function eventColumns(table: string): string {
  const names = columnNames.map((name) => `${table}.${name}`)
  const foreign = `${table}.payload_digest IS NULL`
  return `${names.join(', ')}, ${foreign}, iif(${foreign}, json_valid(${table}.payload_json), 1)`
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

export const eventColumnCount: number = columnNames.length + 2

/** Throws as `decodeStoredRow` does. */
export function decodeEvent(row: EventRow): StoredRuntimeEvent {
  const [
    eventSeq,
    sessionSeq,
    committedAt,
    sessionId,
    invocationId,
    runId,
    turnId,
    eventId,
    payload,
    foreign,
    readable,
  ] = row
  const json = readable === 1 && typeof payload === 'string' ? payload : null
  const ids = { sessionId, invocationId, runId, turnId, eventId }
  return decodeStoredRow({ ...ids, eventSeq, sessionSeq, committedAt, payload: json, isForeign: foreign === 1 })
}
