import type { JsonObject } from '../../json/json-value.ts'
import { type AgentEvent, agentEventsTruncatedName, isTruncationMarker } from '../../ports/agent-event-store.ts'

/** The name of the CUSTOM event that stands where rows are missing. */
export const AGENT_EVENTS_GAP: string = 'oke.events.gap'

/**
 * What a gap marker says. In the log: how many rows could not be stored since the row before it. Made for a follower whose
 * cursor is no longer there: which rows are missing, both ends included.
 */
export type AgentEventsGap =
  | { readonly reason: 'store_failed'; readonly dropped: number }
  | { readonly reason: 'trimmed' | 'missing'; readonly from: number; readonly to: number }

export function gapMarker(gap: AgentEventsGap): AgentEvent {
  return { type: 'CUSTOM', name: AGENT_EVENTS_GAP, value: { ...gap } }
}

/** Stands where deltas begin to be left out, because the log has as much as it may have. */
export function truncationMarker(limits: AgentEventLimits): AgentEvent {
  const value: JsonObject = { cap: limits.cap, capBytes: limits.capBytes }
  return { type: 'CUSTOM', name: agentEventsTruncatedName, value }
}

/** Whether the event stands for others, which are missing or left out. */
export function isMarker(event: AgentEvent): boolean {
  return (event.type === 'CUSTOM' && event.name === AGENT_EVENTS_GAP) || isTruncationMarker(event)
}

/** How much a log takes before deltas are left out: rows, and bytes of their JSON in UTF-8, of all writers. */
export interface AgentEventLimits {
  readonly cap: number
  readonly capBytes: number
}
