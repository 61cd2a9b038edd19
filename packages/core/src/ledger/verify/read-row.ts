import { encodeCanonicalJson } from '../../json/canonical-json.ts'
import { decodeCanonicalRuntimeEvent } from '../../runtime-event/decode.ts'
import { eventKind } from '../../runtime-event/event-kind.ts'
import type { RuntimeEvent } from '../../runtime-event/runtime-event.ts'
import { isTerminalEvent } from '../../runtime-event/terminal.ts'
import { isOpening } from '../encoded-event.ts'
import { foreignEvent } from '../foreign-event.ts'
import type { VerifyProblem } from '../verify-report.ts'
import type { RawRow } from './raw-row.ts'

type Complain = (code: VerifyProblem['code'], message: string) => void

/**
 * The event of a row, undefined where it has none; what is wrong with the row by itself is complained about. Nothing
 * depends on how a foreign writer spells an event, on the kind that it gives it, or on the ids in it.
 */
export function readRow(row: RawRow, complain: Complain): RuntimeEvent | undefined {
  const decoded = decode(row.payload, complain)
  if (decoded === undefined) return undefined
  const foreign = row.payloadDigest === null
  const event = foreign ? foreignEvent(decoded, row) : decoded
  if (!foreign && !isTextOf(event, row.payload)) complain('not_canonical', 'is not the one JSON text of its event')
  for (const [column, stored, told] of [
    ['session_id', row.sessionId, event.sessionId],
    ['invocation_id', row.invocationId, event.invocationId],
    ['run_id', row.runId, event.runId],
    ['turn_id', row.turnId, event.turnId],
    ['event_id', row.eventId, event.id],
    ['event_kind', row.eventKind, foreign ? row.eventKind : eventKind(event)],
    ['terminal', row.terminal, isTerminalEvent(event)],
    ['opened_at', row.openedAt, row.eventSeq === 1 && isWholeOpening(event) ? event.ts : null],
  ] as const) {
    if (stored !== told) complain('columns_differ', `has ${column} ${String(stored)}; its payload says ${String(told)}`)
  }
  return event
}

/** A part of an event, which only a foreign writer stores, opens nothing. */
export function isWholeOpening(event: RuntimeEvent): boolean {
  return isOpening(event) && (event.partial as boolean) !== true
}

function decode(payload: string | null, complain: Complain): RuntimeEvent | undefined {
  if (payload === null) {
    complain('unreadable', 'is not text in UTF-8')
    return undefined
  }
  try {
    return decodeCanonicalRuntimeEvent(payload)
  } catch (error) {
    complain('unreadable', `is no event: ${(error as Error).message}`)
    return undefined
  }
}

function isTextOf(event: RuntimeEvent, payload: string | null): boolean {
  try {
    return encodeCanonicalJson(event) === payload
  } catch {
    return false
  }
}
