import type { JsonValue } from '../../json/json-value.ts'
import type { AgentEvent } from '../../ports/agent-event-store.ts'

/** What an event has to do with the spans of a run: messages, reasoning, tool calls, steps, sub-agents. */
export interface AgentEventSpans {
  /** The span that it begins. */
  readonly opens?: string
  /** The span that it ends. */
  readonly closes?: string
  /** The spans without which it makes no sense, among them one that it ends. */
  readonly within: readonly string[]
}

type Role = 'opens' | 'within' | 'closes'

const kinds: ReadonlyMap<string, readonly [role: Role, kind: string, id: string]> = new Map([
  ['TEXT_MESSAGE_START', ['opens', 'text', 'messageId']],
  ['TEXT_MESSAGE_CONTENT', ['within', 'text', 'messageId']],
  ['TEXT_MESSAGE_END', ['closes', 'text', 'messageId']],
  ['REASONING_START', ['opens', 'reasoning', 'messageId']],
  ['REASONING_END', ['closes', 'reasoning', 'messageId']],
  ['REASONING_MESSAGE_START', ['opens', 'reasoning_message', 'messageId']],
  ['REASONING_MESSAGE_CONTENT', ['within', 'reasoning_message', 'messageId']],
  ['REASONING_MESSAGE_END', ['closes', 'reasoning_message', 'messageId']],
  ['TOOL_CALL_START', ['opens', 'tool_call', 'toolCallId']],
  ['TOOL_CALL_ARGS', ['within', 'tool_call', 'toolCallId']],
  ['TOOL_CALL_END', ['closes', 'tool_call', 'toolCallId']],
  ['STEP_STARTED', ['opens', 'step', 'stepName']],
  ['STEP_FINISHED', ['closes', 'step', 'stepName']],
  ['SUBAGENT_STARTED', ['opens', 'subagent', 'subagentRunId']],
  ['SUBAGENT_FINISHED', ['closes', 'subagent', 'subagentRunId']],
  ['SUBAGENT_ERROR', ['closes', 'subagent', 'subagentRunId']],
])

export function agentEventSpans(event: AgentEvent): AgentEventSpans {
  const { subagentRunId, parentSubagentRunId } = event
  const [role, kind, id] = kinds.get(event.type) ?? []
  const within: string[] = []
  if (subagentRunId !== undefined && kind !== 'subagent') within.push(spanOf('subagent', subagentRunId))
  if (parentSubagentRunId !== undefined) within.push(spanOf('subagent', parentSubagentRunId))
  if (role === undefined) return { within }
  // Steps of different sub-agents may have the same name.
  const span = kind === 'step' ? spanOf(kind, event[id!], subagentRunId) : spanOf(kind!, event[id!])
  if (role === 'opens') return { within, opens: span }
  within.push(span)
  return role === 'closes' ? { within, closes: span } : { within }
}

function spanOf(kind: string, ...ids: readonly (JsonValue | undefined)[]): string {
  return `${kind} ${JSON.stringify(ids)}`
}
