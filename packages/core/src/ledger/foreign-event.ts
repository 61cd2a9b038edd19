import type { RuntimeEvent } from '../runtime-event/runtime-event.ts'

/** The columns that say which event a row holds. */
export interface RowIds {
  readonly sessionId: string
  readonly invocationId: string
  readonly runId: string
  readonly turnId: string
  readonly eventId: string
}

/**
 * The event of a foreign row. Whoever wrote it may have copied the payload of another event: the columns are what the
 * ledger knows it by, and so are its ids.
 */
export function foreignEvent(
  event: RuntimeEvent,
  { sessionId, invocationId, runId, turnId, eventId }: RowIds,
): RuntimeEvent {
  return { ...event, id: eventId, sessionId, invocationId, runId, turnId }
}
