import { isObject } from '../../json/check.ts'
import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import type { AgentEvent } from '../../ports/agent-event-store.ts'
import { agentEventNames } from '../mapping/names.ts'

/** What an event has to do with the spans of a run: messages, reasoning, tool calls, steps, sub-agents. */
export interface AgentEventSpans {
  /** The span that it begins. */
  readonly opens?: string
  /** The span that it ends. */
  readonly closes?: string
  /** The spans without which it makes no sense, among them one that it ends. */
  readonly within: readonly string[]
  /** What is told anew is one of these: a message does not say whether it is a text. */
  readonly replaces?: readonly string[]
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
  ['REASONING_ENCRYPTED_VALUE', ['within', 'reasoning', 'entityId']],
  ['TOOL_CALL_START', ['opens', 'tool_call', 'toolCallId']],
  ['TOOL_CALL_ARGS', ['within', 'tool_call', 'toolCallId']],
  ['TOOL_CALL_END', ['closes', 'tool_call', 'toolCallId']],
  ['STEP_STARTED', ['opens', 'step', 'stepName']],
  ['STEP_FINISHED', ['closes', 'step', 'stepName']],
  ['SUBAGENT_STARTED', ['opens', 'subagent', 'subagentRunId']],
  ['SUBAGENT_FINISHED', ['closes', 'subagent', 'subagentRunId']],
  ['SUBAGENT_ERROR', ['closes', 'subagent', 'subagentRunId']],
])

/** What is told of sub-agents to clients that do not know the types for it. */
const customTypes: ReadonlyMap<unknown, string> = new Map([
  [agentEventNames.subagentStarted, 'SUBAGENT_STARTED'],
  [agentEventNames.subagentFinished, 'SUBAGENT_FINISHED'],
  [agentEventNames.subagentError, 'SUBAGENT_ERROR'],
])

/** How what an event begins is ended, where that says nothing else. */
const ends: ReadonlyMap<string, string> = new Map([
  ['TEXT_MESSAGE_START', 'TEXT_MESSAGE_END'],
  ['REASONING_START', 'REASONING_END'],
  ['REASONING_MESSAGE_START', 'REASONING_MESSAGE_END'],
  ['TOOL_CALL_START', 'TOOL_CALL_END'],
  ['STEP_STARTED', 'STEP_FINISHED'],
])

export function agentEventSpans(told: AgentEvent): AgentEventSpans {
  const customType = told.type === 'CUSTOM' ? customTypes.get(told.name) : undefined
  const event =
    customType !== undefined && isObject(told.value) ? ({ ...told.value, type: customType } as AgentEvent) : told
  const { subagentRunId, parentSubagentRunId } = event
  const [role, kind, id] = kinds.get(event.type) ?? []
  const within: string[] = []
  if (subagentRunId !== undefined && kind !== 'subagent') within.push(spanOf('subagent', subagentRunId))
  if (parentSubagentRunId !== undefined) within.push(spanOf('subagent', parentSubagentRunId))
  if (role === undefined) return { within, ...replacedSpans(told) }
  if (kind === 'reasoning_message') within.push(spanOf('reasoning', event[id!]))
  // Steps of different sub-agents may have the same name.
  const span = kind === 'step' ? spanOf(kind, event[id!], subagentRunId) : spanOf(kind!, event[id!])
  if (role === 'opens') return { within, opens: span }
  within.push(span)
  return role === 'closes' ? { within, closes: span } : { within }
}

function replacedSpans({ name, value }: AgentEvent): Pick<AgentEventSpans, 'replaces'> {
  if (!isObject(value)) return {}
  const { messageId, toolCallId } = value as JsonObject
  if (name === agentEventNames.toolArgsReplaced) return { replaces: [spanOf('tool_call', toolCallId)] }
  if (name !== agentEventNames.textReplaced) return {}
  return { replaces: [spanOf('text', messageId), spanOf('reasoning_message', messageId)] }
}

/** The end of the span that the event begins; undefined where it begins none, or its end says more than that. */
export function agentEventSpanEnd(event: AgentEvent): AgentEvent | undefined {
  const type = ends.get(event.type)
  const [, , id] = kinds.get(event.type) ?? []
  if (type === undefined) return undefined
  const { subagentRunId } = event
  return { type, [id!]: event[id!], ...(subagentRunId !== undefined && { subagentRunId }) }
}

function spanOf(kind: string, ...ids: readonly (JsonValue | undefined)[]): string {
  return `${kind} ${JSON.stringify(ids)}`
}
