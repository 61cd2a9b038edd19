import {
  AgentEventDuplicateSeqError,
  AgentEventLogNotOpenError,
  InvalidEventError,
  InvalidInputError,
  PayloadTooLargeError,
} from '../errors/index.ts'
import { anything, arrayOf, type Check, counter, isObject, oneOf, safeInteger, shape, text } from '../json/check.ts'
import { checkId } from '../json/id.ts'
import { utf8Length } from '../json/utf8-length.ts'
import {
  type AgentEvent,
  type AgentEventHeader,
  type AgentEventRunCursor,
  type AgentEventWrites,
  isTruncationMarker,
  type NewAgentEventRow,
} from './agent-event-store.ts'
import { checkPageLimit } from './check-page.ts'

/** The most bytes of an event's JSON: an event of the ledger has 1 MiB, and quoting it as text at most doubles that. */
export const maxAgentEventBytes: number = 4 * 1_048_576

/** A row as a store keeps it. */
export interface AgentEventRecord {
  readonly seq: number
  /** The event's JSON text: well-formed, and without a NUL character. */
  readonly json: string
  /** Of the JSON in UTF-8. */
  readonly bytes: number
  readonly truncates: boolean
  readonly writeId: string | null
  readonly finishedAt: number | null
}

/** A listing of runs with its defaults. */
export interface AgentEventRunQuery {
  readonly finished: boolean
  readonly until: number
  readonly after: AgentEventRunCursor | undefined
  readonly limit: number
}

const textOrNull: Check = (value, open) => (value === null ? undefined : text(value, open))
const timeOrNull: Check = (value, open) => (value === null ? undefined : safeInteger(value, open))

const headerShape = shape(
  { runId: text, threadId: text, tenant: textOrNull, gates: arrayOf(text), userId: textOrNull, operatorId: textOrNull },
  { openedAt: safeInteger, finishedAt: safeInteger, parentRunId: text, protocolVersion: text },
)
const rowShape = shape({ seq: counter, event: anything }, { writeId: text, finishedAt: safeInteger })
const runQueryShape = shape(
  { finished: oneOf(true, false), until: safeInteger },
  { after: shape({ at: timeOrNull, runId: text }), limit: anything },
)

/** A copy that shares nothing with the given header. Throws `InvalidIdError`, `InvalidInputError`. */
export function checkAgentEventHeader(header: AgentEventHeader): AgentEventHeader {
  checkShape('header', header, headerShape)
  for (const field of ['runId', 'threadId', 'parentRunId'] as const) {
    if (field !== 'parentRunId' || header[field] !== undefined) checkId(field, header[field])
  }
  const { runId, threadId, tenant, gates, userId, operatorId } = header
  const { openedAt, finishedAt, parentRunId, protocolVersion } = header
  return {
    runId,
    threadId,
    tenant,
    gates: [...gates],
    userId,
    operatorId,
    ...(openedAt !== undefined && { openedAt }),
    ...(finishedAt !== undefined && { finishedAt }),
    ...(parentRunId !== undefined && { parentRunId }),
    ...(protocolVersion !== undefined && { protocolVersion }),
  }
}

/** Why what is stored is no header; undefined where it is one, whatever newer code has added. */
export function agentEventHeaderFault(header: unknown): string | undefined {
  const fault = headerShape(header, true)
  return fault && `${fault.path} ${fault.problem}`.trim()
}

/** A row with its record, which no copy of it has. */
class EncodedRow implements NewAgentEventRow {
  declare readonly seq: number
  declare readonly event: AgentEvent
  readonly #record: AgentEventRecord

  constructor(row: NewAgentEventRow) {
    this.#record = encode(row)
    Object.assign(this, row)
  }

  static recordOf(row: NewAgentEventRow): AgentEventRecord | undefined {
    return isObject(row) && #record in row ? row.#record : undefined
  }
}

/** The same row, which is encoded now and not again, whatever becomes of its event. Throws as `encodeAgentEventRow` does. */
export function encodeAgentEventRowOnce(row: NewAgentEventRow): NewAgentEventRow {
  return new EncodedRow(row)
}

/** Throws `InvalidIdError`, `InvalidInputError`, `InvalidEventError`, `PayloadTooLargeError`. */
export function encodeAgentEventRow(row: NewAgentEventRow): AgentEventRecord {
  return EncodedRow.recordOf(row) ?? encode(row)
}

function encode(row: NewAgentEventRow): AgentEventRecord {
  checkShape('row', row, rowShape)
  const { seq, event, writeId, finishedAt = null } = row
  if (writeId !== undefined) checkId('writeId', writeId)
  const json = encodeAgentEvent(event)
  const bytes = utf8Length(json)
  if (bytes > maxAgentEventBytes) throw new PayloadTooLargeError('the event', bytes, maxAgentEventBytes)
  return { seq, json, bytes, truncates: isTruncationMarker(event), writeId: writeId ?? null, finishedAt }
}

/** The writes of a run's log as a store keeps them. */
export interface AgentEventWriteRecords {
  readonly header: AgentEventHeader | undefined
  readonly rows: readonly AgentEventRecord[]
}

/** Throws as `checkAgentEventHeader` and `encodeAgentEventRow` do. */
export function encodeAgentEventWrites({ header, rows }: AgentEventWrites): AgentEventWriteRecords {
  return { header: header && checkAgentEventHeader(header), rows: rows.map(encodeAgentEventRow) }
}

/** As `checkNextAgentEventSeq`, of all rows; throws `InvalidInputError` for a header of another run, too. */
export function checkAgentEventWrites(
  runId: string,
  { header, rows }: AgentEventWriteRecords,
  lastSeq: number | undefined,
): void {
  if (header !== undefined && header.runId !== runId)
    throw new InvalidInputError('agentEvents.header.runId', `must be "${runId}", whose facts are written`)
  let last = lastSeq ?? (header && 0)
  if (last === undefined) throw new AgentEventLogNotOpenError(runId)
  for (const { seq } of rows) {
    checkNextAgentEventSeq(runId, seq, last)
    last = seq
  }
}

/** Throws `InvalidEventError` for what is no event, whatever else it holds. */
export function checkAgentEvent(event: AgentEvent): void {
  if (!isObject(event)) throw new InvalidEventError('', 'must be an object')
  if (typeof event.type !== 'string' || event.type === '')
    throw new InvalidEventError('/type', 'must be a type of AG-UI')
}

/** JSON's own escapes keep whatever text an event has: a NUL character and half of a surrogate pair too. */
function encodeAgentEvent(event: AgentEvent): string {
  checkAgentEvent(event)
  let json: string | undefined
  try {
    json = JSON.stringify(event)
  } catch (error) {
    throw new InvalidEventError('', 'has no JSON text', { cause: error })
  }
  if (json?.startsWith('{') === true) return json
  throw new InvalidEventError('', 'must be an object in JSON too')
}

/**
 * Whether a row comes next in a log whose highest seq is `lastSeq`, undefined where there is no log. Throws
 * `AgentEventLogNotOpenError`, `AgentEventDuplicateSeqError`, and `InvalidInputError` for a seq that would leave a hole.
 */
export function checkNextAgentEventSeq(runId: string, seq: number, lastSeq: number | undefined): void {
  if (lastSeq === undefined) throw new AgentEventLogNotOpenError(runId)
  if (seq <= lastSeq) throw new AgentEventDuplicateSeqError(runId, seq)
  if (seq > lastSeq + 1) throw new InvalidInputError('row.seq', `must be ${lastSeq + 1}, which is next, not ${seq}`)
}

/** Throws `InvalidInputError` for what can be no floor of any log. */
export function checkAgentEventFloor(floor: number): number {
  return checkSeqOf('floor', floor)
}

/** Throws `InvalidInputError` for what is no seq of any row. */
export function checkAgentEventSeq(seq: number): number {
  return checkSeqOf('seq', seq)
}

function checkSeqOf(field: string, seq: number): number {
  if (Number.isSafeInteger(seq) && seq >= 1) return seq
  throw new InvalidInputError(field, `must be an integer of at least 1, not ${String(seq)}`)
}

/** Throws `AgentEventLogNotOpenError`, and `InvalidInputError` for a floor above the seq that is next. */
export function checkAgentEventTrim(runId: string, floor: number, lastSeq: number | undefined): void {
  if (lastSeq === undefined) throw new AgentEventLogNotOpenError(runId)
  if (floor > lastSeq + 1) throw new InvalidInputError('floor', `must be at most ${lastSeq + 1}, not ${floor}`)
}

/** Throws `InvalidInputError` for what is no time. */
export function checkAgentEventTime(field: string, time: number): number {
  if (Number.isSafeInteger(time)) return time
  throw new InvalidInputError(field, `must be whole milliseconds, not ${String(time)}`)
}

/** Throws `InvalidInputError`. */
export function checkAgentEventRunQuery(query: {
  readonly finished: boolean
  readonly until: number
  readonly after?: AgentEventRunCursor
  readonly limit?: number
}): AgentEventRunQuery {
  checkShape('query', query, runQueryShape)
  const { finished, until, after } = query
  return { finished, until, after, limit: checkPageLimit(query.limit) }
}

function checkShape(name: string, value: unknown, check: Check): void {
  const fault = check(value, false)
  if (fault !== undefined) throw new InvalidInputError(name + fault.path.replaceAll('/', '.'), fault.problem)
}
