import type { InvocationOpenedContent } from '../runtime-event/content.ts'
import type { StoredRuntimeEvent } from '../runtime-event/runtime-event.ts'
import { compareInvocations } from './invocation-order.ts'
import type { InvocationRecord } from './invocation-record.ts'
import { invocationSpans } from './invocation-span.ts'

/**
 * The rebuild: what the index answers for this session, from the events alone. The events may come in any order and hold
 * those of other sessions, which are ignored. Sorted by `compareInvocations`.
 */
export function runtimeInvocationsFromSessionEvents(
  sessionId: string,
  events: readonly StoredRuntimeEvent[],
): InvocationRecord[] {
  const spans = invocationSpans(events.filter(({ event }) => event.sessionId === sessionId))
  return Array.from(spans.values(), ({ opening: { event }, terminal }) => ({
    sessionId,
    invocationId: event.invocationId,
    runId: event.runId,
    turnId: event.turnId,
    openedAt: event.ts,
    opening: event.content as InvocationOpenedContent,
    ...(terminal && { terminalEvent: terminal.event }),
  })).sort(compareInvocations)
}
