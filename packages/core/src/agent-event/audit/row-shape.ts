import { memberPointer } from '../../json/json-pointer.ts'
import { isObject } from '../../json/check.ts'
import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import { type AgentEvent, agentEventsTruncatedName } from '../../ports/agent-event-store.ts'
import { AGENT_EVENTS_GAP } from '../log/markers.ts'
import { agentEventNames, agentMessageId, ownMessageId } from '../mapping/names.ts'
import { knowsAgUi1, text, type ToldRun } from '../mapping/told-run.ts'

/** The fields of a type besides `type`, `timestamp` and `subagentRunId`: texts that it has, others, and those that are the same always. */
interface RowShape {
  readonly texts: readonly string[]
  readonly may?: readonly string[]
  readonly is?: Readonly<Record<string, string>>
}

const [message, call, agent] = [['messageId'], ['toolCallId'], ['subagentRunId']]
const agentEnd: RowShape = { texts: agent, may: ['outcome', 'message', 'code'] }
const shapes: ReadonlyMap<string, RowShape> = new Map([
  ['TEXT_MESSAGE_START', { texts: message, is: { role: 'assistant' } }],
  ['TEXT_MESSAGE_CONTENT', { texts: ['messageId', 'delta'] }],
  ['TEXT_MESSAGE_END', { texts: message, may: ['metadata'] }],
  ['REASONING_START', { texts: message }],
  ['REASONING_MESSAGE_START', { texts: message, is: { role: 'reasoning' } }],
  ['REASONING_MESSAGE_CONTENT', { texts: ['messageId', 'delta'] }],
  ['REASONING_MESSAGE_END', { texts: message, may: ['metadata'] }],
  ['REASONING_ENCRYPTED_VALUE', { texts: ['entityId', 'encryptedValue'], is: { subtype: 'message' } }],
  ['REASONING_END', { texts: message }],
  ['TOOL_CALL_START', { texts: ['toolCallId', 'toolCallName'], may: ['parentMessageId'] }],
  ['TOOL_CALL_ARGS', { texts: ['toolCallId', 'delta'] }],
  ['TOOL_CALL_END', { texts: call }],
  ['TOOL_CALL_RESULT', { texts: ['toolCallId', 'messageId', 'content'], may: ['metadata'], is: { role: 'tool' } }],
  ['STEP_STARTED', { texts: ['stepName'] }],
  ['STEP_FINISHED', { texts: ['stepName'] }],
  ['SUBAGENT_STARTED', { texts: ['subagentRunId', 'name'], may: ['parentSubagentRunId'] }],
  ['SUBAGENT_FINISHED', agentEnd],
  ['SUBAGENT_ERROR', agentEnd],
  ['CUSTOM', { texts: ['name'], may: ['value', 'metadata'] }],
])

/** Of the CUSTOM events that nothing else holds against a fact: the fields of their values. */
const values: ReadonlyMap<JsonValue | undefined, readonly string[]> = new Map([
  [agentEventNames.providerRetry, ['message']],
  [agentEventNames.toolResultPreview, ['toolCallId', 'result']],
  [agentEventNames.custom, ['name', 'value']],
  [agentEventNames.subagentStarted, ['subagentRunId', 'name', 'parentSubagentRunId']],
  [agentEventNames.textReplaced, ['messageId', 'text']],
  [agentEventNames.toolArgsReplaced, ['toolCallId', 'toolCallName', 'args']],
])
/** Ended with the run, where they are held against its end. */
const names: ReadonlySet<JsonValue | undefined> = new Set([
  ...Object.values(agentEventNames),
  AGENT_EVENTS_GAP,
  agentEventsTruncatedName,
])

/** How the types of messages begin, and what they are of. */
const messageKinds = [
  ['TEXT_MESSAGE', 'text'],
  ['REASONING', 'thinking'],
] as const

/** Whether a run's log has events of this kind at all. What begins and ends the run is not looked at. */
export function isToldType({ type, name }: AgentEvent): boolean {
  if (type === 'CUSTOM') return names.has(name)
  return shapes.has(type) || type === 'RUN_STARTED' || type === 'RUN_FINISHED' || type === 'RUN_ERROR'
}

/** Whether an event of such a kind has what the mapping gives it, and nothing else that a client might show. */
export function hasToldShape({ run }: ToldRun, event: AgentEvent): boolean {
  const shape = shapes.get(event.type)
  if (shape === undefined || !hasFields(event, shape)) return shape === undefined
  const { type, name, value } = event
  switch (type) {
    case 'TOOL_CALL_RESULT':
      return event.messageId === agentMessageId(run.runId, 'tool_result', event.toolCallId as string)
    case 'SUBAGENT_STARTED':
      return knowsAgUi1(run.protocolVersion) && isAgentOf(run.runId, event)
    case 'CUSTOM': {
      const fields = values.get(name)
      if (fields === undefined) return true
      if (!isObject(value) || !Object.keys(value).every((field) => fields.includes(field))) return false
      const isBegun = name === agentEventNames.subagentStarted
      return !isBegun || (!knowsAgUi1(run.protocolVersion) && isAgentOf(run.runId, value as JsonObject))
    }
    default:
      return messageKinds.every(([begins, kind]) => !type.startsWith(begins) || isOwn(run.runId, kind, event))
  }
}

function isOwn(runId: string, kind: 'text' | 'thinking', { messageId, entityId }: AgentEvent): boolean {
  return ownMessageId(runId, kind, (messageId ?? entityId) as string) !== undefined
}

function hasFields(event: AgentEvent, { texts, may = [], is = {} }: RowShape): boolean {
  const has = (field: string): boolean =>
    field === 'type' ||
    field === 'timestamp' ||
    (field === 'subagentRunId' && text(event[field]) !== undefined) ||
    texts.includes(field) ||
    may.includes(field) ||
    field in is
  return (
    Object.keys(event).every(has) &&
    texts.every((field) => typeof event[field] === 'string') &&
    Object.entries(is).every(([field, value]) => event[field] === value)
  )
}

function isAgentOf(runId: string, { subagentRunId, name, parentSubagentRunId = runId }: JsonObject): boolean {
  const areTexts = typeof name === 'string' && typeof parentSubagentRunId === 'string'
  return areTexts && subagentRunId === parentSubagentRunId + memberPointer('', name)
}
