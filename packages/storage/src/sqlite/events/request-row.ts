import { answerOf, LedgerDamagedError, type RequestRecord, requestChange, type RequestState } from '@daybook/core'
import { sha256 } from '../../sha256.ts'
import { decodeEvent, eventColumnCount, eventColumns, type EventRow } from './event-row.ts'

/** A row of `requests`, in the order of its columns. What was asked and answered stands in the events alone. */
export type RequestRow = readonly [
  sessionId: string,
  requestId: string,
  runId: string,
  turnId: string,
  wait: RequestRecord['wait'],
  requestedAt: number,
  expiresAt: number | null,
  state: RequestState,
  /** Where the session has the event that asks, and the answer that closed it. */
  sessionSeq: number,
  answerSessionSeq: number | null,
  ...events: unknown[],
]

const columnNames = [
  'session_id',
  'request_id',
  'run_id',
  'turn_id',
  'wait',
  'requested_at',
  'expires_at',
  'state',
  'session_seq',
  'answer_session_seq',
]

/** The columns of `q`, a row of `requests`, with its two events; each is found by one look into an index. */
export const requestColumns: string = [
  ...columnNames.map((name) => `q.${name}`),
  eventColumns('asking'),
  eventColumns('answering'),
].join(', ')

export const requestEvents: string = `
  LEFT JOIN runtime_events asking ON asking.session_id = q.session_id AND asking.session_seq = q.session_seq
  LEFT JOIN runtime_events answering
    ON answering.session_id = q.session_id AND answering.session_seq = q.answer_session_seq`

/** Throws `LedgerDamagedError` where the events do not say what the row says. */
export function decodeRequest(row: RequestRow): RequestRecord {
  const [sessionId, requestId, runId, turnId, wait, requestedAt, expiresAt, state, , answerSessionSeq] = row
  const events = row.slice(columnNames.length)
  const damaged = (problem: string) => new LedgerDamagedError(sessionId, `request "${requestId}"`, problem)
  if (events[0] === null) throw damaged('the event that asks is missing')
  const change = requestChange(decodeEvent(events as unknown as EventRow), sha256)
  const asked = change?.type === 'asked' ? change.request : undefined
  const same =
    asked?.requestId === requestId &&
    asked.runId === runId &&
    asked.turnId === turnId &&
    asked.wait === wait &&
    asked.requestedAt === requestedAt &&
    asked.expiresAt === expiresAt
  if (!same) throw damaged('the event asks something else than its row in the index')
  if (answerSessionSeq === null) return { ...asked, state }
  const answering = events.slice(eventColumnCount)
  const answer = answering[0] === null ? undefined : answerOf(decodeEvent(answering as unknown as EventRow).event)
  if (answer?.requestId === requestId && answer.outcome === state) return { ...asked, state, answer }
  throw damaged('the event that answers it says something else than its row in the index')
}
