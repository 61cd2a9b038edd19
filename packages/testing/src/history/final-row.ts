import { isTerminalEvent, type StoredRuntimeEvent } from '@daybook/core/canonical-runtime-event'
import type { EventKey } from './history-entry.ts'

/** An event of the ledger as it is in the end. */
export interface FinalRow extends EventKey {
  readonly sessionId: string
  readonly eventSeq: number
  readonly sessionSeq: number
  readonly terminal: boolean
}

/** The row of an event that a store read. */
export function finalRow({ event, eventSeq, sessionSeq }: StoredRuntimeEvent): FinalRow {
  const { id: eventId, sessionId, invocationId } = event
  return { sessionId, invocationId, eventId, eventSeq, sessionSeq, terminal: isTerminalEvent(event) }
}

/** One text for one event: an id has no NUL. */
export function keyOf({ invocationId, eventId }: EventKey): string {
  return `${invocationId}\0${eventId}`
}

/** For people. */
export function describeEvent({ invocationId, eventId }: EventKey): string {
  return `event "${eventId}" of invocation "${invocationId}"`
}
