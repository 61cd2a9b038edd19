import type { AgentEvent } from '../../ports/agent-event-store.ts'
import { agentRunEnd } from './run-end.ts'

/** An event that carries a piece of one stream's text. */
export interface AgentDelta extends AgentEvent {
  readonly delta: string
}

const streams: ReadonlyMap<string, { readonly id: string; readonly end: string }> = new Map([
  ['TEXT_MESSAGE_CONTENT', { id: 'messageId', end: 'TEXT_MESSAGE_END' }],
  ['REASONING_MESSAGE_CONTENT', { id: 'messageId', end: 'REASONING_MESSAGE_END' }],
  ['TOOL_CALL_ARGS', { id: 'toolCallId', end: 'TOOL_CALL_END' }],
])

/** Whether the event is a delta of a stream that it names; anything else is stored as it is. */
export function isAgentDelta(event: AgentEvent): event is AgentDelta {
  const stream = streams.get(event.type)
  return stream !== undefined && typeof event.delta === 'string' && typeof event[stream.id] === 'string'
}

/** Which stream a delta belongs to. */
export function agentStreamOf(delta: AgentDelta): string {
  return `${delta.type} ${delta[streams.get(delta.type)!.id] as string}`
}

/** Whether no delta of this one's stream follows the event. */
export function endsAgentStream(event: AgentEvent, delta: AgentDelta): boolean {
  const { id, end } = streams.get(delta.type)!
  return (event.type === end && event[id] === delta[id]) || agentRunEnd(event) !== undefined
}
