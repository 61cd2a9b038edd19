import {
  type AgentDelta,
  type AgentEvent,
  agentRunEnd,
  encodeAgentEventRow,
  isAgentDelta,
  PayloadTooLargeError,
} from '@daybook/core'

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

/** The most bytes of JSON that a delta has besides its text: with a row's share of that a store takes them. */
const maxDeltaBytes = 2 * 1_048_576
/** Of fields with so many UTF-16 units no more is to be known: as JSON they have at most six times as many bytes. */
const maxPlainLength = 65_536

/** The same for a delta, the text of which may be longer than what a store takes at once. */
export function copyOfDelta(delta: AgentDelta): AgentDelta {
  let length = -delta.delta.length
  for (const name in delta) {
    const value = delta[name]
    const isText = typeof value === 'string'
    length += name.length + (isText ? value.length : 0)
    if (length <= maxPlainLength && (isText || typeof value === 'number' || typeof value === 'boolean')) continue
    const { json, bytes } = encodeAgentEventRow({ seq: 1, event: { ...delta, delta: '' } })
    if (bytes > maxDeltaBytes) throw new PayloadTooLargeError('the event without its delta', bytes, maxDeltaBytes)
    return { ...(JSON.parse(json) as AgentDelta), delta: delta.delta }
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
