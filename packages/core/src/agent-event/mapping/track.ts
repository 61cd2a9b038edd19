import { isObject } from '../../json/check.ts'
import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import type { AgentEvent } from '../../ports/agent-event-store.ts'
import type { TokenUsage } from '../../runtime-event/actions.ts'
import { isMarker } from '../log/markers.ts'
import { agentRunEnd } from '../log/run-end.ts'
import { agentEventNames } from './names.ts'
import { newAgent, text, type ToldAgent, type ToldRequest, type ToldRun, type ToldSpan } from './told-run.ts'

/**
 * Takes in an event that was told: one that is, or one that was stored. From all rows of a log, in order, comes what its
 * writer knew, save for what it is asked to answer later. Takes any event; one that makes no sense changes nothing.
 */
export function trackAgentEvent(told: ToldRun, event: AgentEvent): void {
  const id = text(event.messageId) ?? ''
  switch (event.type) {
    case 'RUN_STARTED':
      told.isStarted = true
      return
    case 'TEXT_MESSAGE_START':
      open(told, told.texts, id, event)
      agentOf(told, event).message = id
      return
    case 'TEXT_MESSAGE_CONTENT':
      return add(told.texts.get(id), event)
    case 'TEXT_MESSAGE_END':
      return close(told.texts.get(id))
    case 'REASONING_START':
      return void told.reasonings.set(id, agentKey(told, event))
    case 'REASONING_MESSAGE_START':
      return open(told, told.thoughts, id, event)
    case 'REASONING_MESSAGE_CONTENT':
      return add(told.thoughts.get(id), event)
    case 'REASONING_MESSAGE_END':
      return close(told.thoughts.get(id))
    case 'REASONING_ENCRYPTED_VALUE':
      return count(told, event.type)
    case 'REASONING_END':
      return void told.reasonings.delete(id)
    case 'TOOL_CALL_START':
      return open(told, told.toolCalls, text(event.toolCallId) ?? '', event)
    case 'TOOL_CALL_ARGS':
      return add(told.toolCalls.get(text(event.toolCallId) ?? ''), event)
    case 'TOOL_CALL_END':
      return close(told.toolCalls.get(text(event.toolCallId) ?? ''))
    case 'TOOL_CALL_RESULT': {
      const callId = text(event.toolCallId) ?? ''
      told.results.set(callId, (told.results.get(callId) ?? 0) + 1)
      agentOf(told, event).message = undefined
      return
    }
    case 'STEP_STARTED':
      return beginStep(told, event)
    case 'STEP_FINISHED':
      return endStep(told, event)
    case 'SUBAGENT_STARTED':
      return beginAgent(told, event)
    case 'SUBAGENT_FINISHED':
    case 'SUBAGENT_ERROR':
      return endAgent(told, event)
    case 'RUN_FINISHED':
    case 'RUN_ERROR':
      told.isEnded ||= agentRunEnd(event) !== undefined
      return
    case 'CUSTOM':
      return trackCustomEvent(told, event)
    default:
  }
}

/** Takes in that an event which was told, or a piece of what was joined, could not be stored: rows are missing from there on. */
export function trackLostEvent(told: ToldRun, event: AgentEvent): void {
  cut(told)
  const id = text(event.messageId) ?? ''
  switch (event.type) {
    case 'TEXT_MESSAGE_START': {
      lose(told.texts.get(id))
      const agent = agentOf(told, event)
      if (agent.message === id) agent.message = undefined
      return
    }
    case 'REASONING_START':
      return void told.reasonings.delete(id)
    case 'REASONING_MESSAGE_START':
      return lose(told.thoughts.get(id))
    case 'TOOL_CALL_START':
      return lose(told.toolCalls.get(text(event.toolCallId) ?? ''))
    default:
  }
}

function trackCustomEvent(told: ToldRun, event: AgentEvent): void {
  if (isMarker(event)) return cut(told)
  const { value } = event
  if (!isObject(value)) return
  const said = value as JsonObject
  count(told, text(event.name) ?? '')
  const requestId = text(said.requestId) ?? ''
  switch (event.name) {
    case agentEventNames.subagentStarted:
      return beginAgent(told, said)
    case agentEventNames.subagentFinished:
    case agentEventNames.subagentError:
      return endAgent(told, said)
    case agentEventNames.request: {
      const { kind, toolCallId, payload = null } = said
      if (kind !== 'sandbox_boundary' && kind !== 'user_question') return
      const call = text(toolCallId)
      const agent = agentKey(told, event)
      return trackRequest(told, requestId, { kind, payload, agent, ...(call !== undefined && { toolCallId: call }) })
    }
    case agentEventNames.requestAnswered: {
      const request = told.requests.get(requestId)
      if (request !== undefined) request.isOpen = false
      return
    }
    case agentEventNames.textReplaced: {
      const id = text(said.messageId) ?? ''
      return replace(told.texts.get(id) ?? told.thoughts.get(id), text(said.text))
    }
    case agentEventNames.tokenUsage:
      told.usage = addUsage(told.usage, said)
      return
    case agentEventNames.error: {
      const code = text(said.code)
      told.lastError = { message: text(said.message) ?? '', ...(code !== undefined && { code }) }
      return
    }
    default:
  }
}

function count({ others }: ToldRun, name: string): void {
  others.set(name, (others.get(name) ?? 0) + 1)
}

/** Takes in what is asked; as in the ledger, an id is asked once. */
export function trackRequest({ requests }: ToldRun, requestId: string, request: Omit<ToldRequest, 'isOpen'>): void {
  if (!requests.has(requestId)) requests.set(requestId, { ...request, isOpen: true })
}

/** Until when a request can be answered, in ms since 1970 by the store's clock: its interrupt says it. */
export function setRequestExpiry({ requests }: ToldRun, requestId: string, expiresAt: number): void {
  const request = requests.get(requestId)
  if (request !== undefined) request.expiresAt = expiresAt
}

function agentKey({ agents }: ToldRun, { subagentRunId }: JsonObject): string {
  const key = text(subagentRunId) ?? ''
  return agents.has(key) ? key : ''
}

function agentOf(told: ToldRun, event: JsonObject): ToldAgent {
  return told.agents.get(agentKey(told, event))!
}

function open(told: ToldRun, spans: Map<string, ToldSpan>, id: string, event: JsonObject): void {
  const known = spans.get(id)
  if (known?.isOpen === true && !known.isLost) return
  const agent = known?.agent ?? agentKey(told, event)
  const stepId = told.agents.get(agent)?.step
  const toolName = text(event.toolCallName)
  const ends = known?.ends ?? 0
  spans.set(id, { agent, stepId, toolName, isOpen: true, text: '', isCut: false, isLost: false, ends })
}

function add(span: ToldSpan | undefined, { delta }: JsonObject): void {
  if (span?.isOpen === true && !span.isCut && typeof delta === 'string') span.text += delta
}

function replace(span: ToldSpan | undefined, whole: string | undefined): void {
  if (span?.isOpen !== true || whole === undefined) return
  span.text = whole
  span.isCut = false
}

function close(span: ToldSpan | undefined): void {
  if (span?.isOpen !== true) return
  span.isOpen = false
  span.text = ''
  span.isCut = false
  span.isLost = false
  span.ends++
}

function lose(span: ToldSpan | undefined): void {
  if (span?.isOpen === true) span.isLost = true
}

function cut({ texts, thoughts, toolCalls }: ToldRun): void {
  for (const spans of [texts, thoughts, toolCalls]) {
    for (const span of spans.values()) span.isCut = span.isOpen
  }
}

function beginStep(told: ToldRun, event: JsonObject): void {
  const agent = agentOf(told, event)
  agent.step = text(event.stepName) ?? ''
  agent.steps.add(agent.step)
  agent.message = undefined
}

function endStep(told: ToldRun, event: JsonObject): void {
  const agent = agentOf(told, event)
  if (agent.step === text(event.stepName)) agent.step = undefined
}

function beginAgent({ agents }: ToldRun, { subagentRunId, parentSubagentRunId, name }: JsonObject): void {
  const key = text(subagentRunId)
  if (key === undefined || agents.has(key)) return
  const parent = agents.get(text(parentSubagentRunId) ?? '')
  agents.set(key, newAgent([...(parent?.path ?? []), text(name) ?? '']))
}

function endAgent({ agents }: ToldRun, { subagentRunId }: JsonObject): void {
  const agent = agents.get(text(subagentRunId) ?? '')
  if (agent !== undefined && agent.path.length > 0) agent.isOpen = false
}

const counts = ['inputTokens', 'outputTokens', 'reasoningTokens', 'cachedInputTokens', 'totalTokens'] as const

function addUsage(sum: TokenUsage = {}, usage: Readonly<Record<string, JsonValue>>): TokenUsage {
  const total: { -readonly [Count in keyof TokenUsage]: number } = { ...sum }
  for (const count of counts) {
    const tokens = usage[count]
    if (typeof tokens === 'number') total[count] = Math.min((total[count] ?? 0) + tokens, Number.MAX_SAFE_INTEGER)
  }
  return total
}
