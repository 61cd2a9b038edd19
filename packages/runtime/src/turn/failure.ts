import type { SessionEvent } from '@daybook/core/events'
import type { Stamp } from './stamp.ts'

/** The most of an error's message that is recorded, in UTF-16 units. */
const maxMessageLength = 8192

/** Why a turn failed, as it is recorded and told. */
export interface Failure {
  readonly message: string
  /** A stable word, such as `missing_terminal_event`, `backend_threw`, or a code of `errorCodes`. */
  readonly code: string
}

/** What was thrown, as a failure. Never throws, whatever was thrown. */
export function failureFromThrown(thrown: unknown, code: string): Failure {
  let message: string
  try {
    message = String(thrown instanceof Error ? thrown.message || thrown.name : thrown)
  } catch {
    message = 'something was thrown that has no text'
  }
  return { code, message: message.slice(0, maxMessageLength).toWellFormed() }
}

/** What tells a consumer, and with their facts the ledger, that the turn failed. */
export function failureEvents(
  { message, code }: Failure,
  turnId: string,
  { newId, now }: Stamp,
): [SessionEvent, SessionEvent] {
  return [
    { type: 'error', id: newId(), turnId, ts: now(), message, code },
    { type: 'complete', id: newId(), turnId, ts: now(), stopReason: 'error' },
  ]
}
