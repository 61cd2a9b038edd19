import { type AgentDelta, type AgentEvent, agentRunEnd, encodeAgentEventRow, isAgentDelta } from '@daybook/core'

/** An event on its way to the store. */
export interface LogRow {
  readonly event: AgentEvent
  /** It may be left out once the log has as much as it may have. */
  readonly isDelta: boolean
  /** The row ends the log. */
  readonly finishedAt?: number
}

/** A copy, of what JSON holds. Throws `InvalidEventError`, `PayloadTooLargeError` for what no store takes. */
export function copyOfEvent(event: AgentEvent): AgentEvent {
  return JSON.parse(encodeAgentEventRow({ seq: 1, event }).json) as AgentEvent
}

/** The same for a delta, which may be longer than what a store takes at once. */
export function copyOfDelta(delta: AgentDelta): AgentDelta {
  for (const name in delta) {
    const kind = typeof delta[name]
    if (kind === 'string' || kind === 'number' || kind === 'boolean') continue
    return { ...copyOfEvent({ ...delta, delta: '' }), delta: delta.delta }
  }
  return { ...delta }
}

/** The event at that time; `isLast` says that the log ends with it, whatever it is. */
export function rowOf(event: AgentEvent, now: number, isLast: boolean): LogRow {
  const finishes = isLast || agentRunEnd(event) === 'terminal'
  return { event, isDelta: isAgentDelta(event) && !isLast, ...(finishes && { finishedAt: now }) }
}

/** The same for events, of the last of which `isLast` is said. */
export function rowsOf(events: readonly AgentEvent[], now: number, isLast: boolean): readonly LogRow[] {
  return events.map((event, index) => rowOf(event, now, isLast && index === events.length - 1))
}
