import type { JsonObject } from '../../json/json-value.ts'
import { pick } from '../../json/pick.ts'
import { makeStorable } from '../../json/storable.ts'
import type { AgentEvent } from '../../ports/agent-event-store.ts'
import type { StopReason } from '../../runtime-event/actions.ts'
import { type FactEvent, statusOf, type Storable } from '../../session-event/fact.ts'
import { isKnownSessionEvent } from '../../session-event/event-shape.ts'
import type {
  SessionEvent,
  TextCompleteEvent,
  ThinkingCompleteEvent,
  ToolResultPreviewEvent,
  UnknownSessionEvent,
} from '../../session-event/session-event.ts'
import { type AgentRunEnding, tellEnding } from './ending.ts'
import { withoutTooLarge } from './fit.ts'
import { agentMessageId, agentEventNames } from './names.ts'
import { tellOrigin } from './origin.ts'
import { completeCall, completeText, completeThinking, contentText, tellArgs, tellText, tellThinking } from './spans.ts'
import { tell, type Tell, whose } from './tell.ts'
import { knowsAgUi1, type ToldRun } from './told-run.ts'
import { trackRequest } from './track.ts'

/**
 * What a session event is for those who watch the run: agent events that AG-UI's clients take in this order, after those
 * of the events before it. RUN_STARTED comes first, whatever does; after the end of the run comes nothing. Takes what
 * `decodeSessionEvent` gave. Never throws.
 */
export function agentEventsOf(told: ToldRun, event: SessionEvent | UnknownSessionEvent): readonly AgentEvent[] {
  const telling: Tell = { told, events: [], timestamp: event.ts }
  if (told.isEnded) return telling.events
  tellStart(telling)
  const agent = tellOrigin(telling, event)
  if (isKnownSessionEvent(event)) tellKnown(telling, agent, event)
  else tellCustom(telling, agent, agentEventNames.sessionEvent, makeStorable({ ...event }).value as JsonObject)
  return telling.events
}

/** RUN_STARTED, once. */
export function agentEventsOfStart(told: ToldRun, timestamp?: number): readonly AgentEvent[] {
  const telling: Tell = { told, events: [], timestamp }
  if (!told.isEnded) tellStart(telling)
  return telling.events
}

/** What ends a run that nobody drives any more: everything open is closed, then RUN_ERROR. Nothing of one that is ended. */
export function agentEventsOfFailure(
  told: ToldRun,
  failure: { readonly message: string; readonly code: string },
  timestamp?: number,
): readonly AgentEvent[] {
  const telling: Tell = { told, events: [], timestamp }
  if (told.isEnded) return telling.events
  tellStart(telling)
  tellEnding(telling, { kind: 'failed', ...failure })
  return telling.events
}

function tellStart(telling: Tell): void {
  const { isStarted, run } = telling.told
  if (isStarted) return
  const version = knowsAgUi1(run.protocolVersion) ? { protocolVersion: '1.0' } : {}
  tell(telling, { type: 'RUN_STARTED', ...pick(run, 'threadId', 'runId', 'parentRunId'), ...version })
}

function tellKnown(telling: Tell, agent: string, event: SessionEvent): void {
  switch (event.type) {
    case 'text_delta':
      return tellText(telling, agent, event)
    case 'text_complete':
      return completeText(telling, agent, event)
    case 'thinking_delta':
      return tellThinking(telling, agent, event)
    case 'thinking_complete': {
      const { providerMetadata } = event
      const signature = providerMetadata === undefined ? undefined : makeStorable(providerMetadata).value
      return completeThinking(telling, agent, event, signature)
    }
    case 'tool_input_delta':
      return tellArgs(telling, agent, event)
    case 'provider_retry':
      return tellCustom(telling, agent, agentEventNames.providerRetry, pick(event, 'message'))
    default:
      return tellStorable(telling, agent, makeStorable({ ...event }).value as unknown as StorableEvent)
  }
}

type StorableEvent = Storable<Exclude<FactEvent, TextCompleteEvent | ThinkingCompleteEvent> | ToolResultPreviewEvent>

function tellStorable(telling: Tell, agent: string, event: StorableEvent): void {
  const { told } = telling
  const custom = (name: string, value: JsonObject) => tellCustom(telling, agent, name, value)
  switch (event.type) {
    case 'tool_start':
      return completeCall(telling, agent, { ...event, args: event.args ?? null })
    case 'tool_result_preview':
      return custom(agentEventNames.toolResultPreview, { toolCallId: event.toolCallId, result: event.result ?? null })
    case 'tool_result':
      return tellResult(telling, agent, event)
    case 'source':
      return custom(agentEventNames.source, pick(event, 'sourceId', 'url', 'title', 'mediaType'))
    case 'file':
      return custom(agentEventNames.file, pick(event, 'messageId', 'mediaType', 'data'))
    case 'token_usage':
      return custom(agentEventNames.tokenUsage, { ...event.usage })
    case 'sandbox_boundary_request':
    case 'user_question_request': {
      const { requestId } = event
      const isQuestion = event.type === 'user_question_request'
      const payload = (isQuestion ? event.question : event.request) ?? null
      const kind = isQuestion ? 'user_question' : 'sandbox_boundary'
      const asked = { kind, payload, ...pick(event, 'toolCallId') } as const
      trackRequest(told, requestId, { ...asked, agent })
      if (told.run.wait === 'live')
        custom(agentEventNames.request, { requestId, ...asked, ...pick(event, 'expiresInMs') })
      return
    }
    case 'sandbox_boundary_decision_ack':
      return custom(agentEventNames.requestAnswered, pick(event, 'requestId', 'decision'))
    case 'user_question_answer_ack':
      return custom(agentEventNames.requestAnswered, pick(event, 'requestId'))
    case 'custom':
      return custom(agentEventNames.custom, { name: event.name, value: event.value ?? null })
    case 'error':
      return custom(agentEventNames.error, pick(event, 'message', 'code'))
    case 'abort':
      return tellEnding(telling, { kind: 'cancelled', source: event.source })
    case 'complete':
      return tellEnding(telling, endingOf(told, event.stopReason))
  }
}

function tellCustom(telling: Tell, agent: string, name: string, whole: JsonObject): void {
  const { value, omittedBytes } = withoutTooLarge(whole)
  const shortened = omittedBytes === 0 ? {} : { metadata: { daybook: { omittedBytes } } }
  tell(telling, { type: 'CUSTOM', name, value, ...whose(agent), ...shortened })
}

function tellResult(telling: Tell, agent: string, event: Extract<StorableEvent, { type: 'tool_result' }>): void {
  const { run, toolCalls } = telling.told
  const { toolCallId, outcome = 'ok', result = null } = event
  const call = toolCalls.get(toolCallId)
  if (call?.isOpen === true) tell(telling, { type: 'TOOL_CALL_END', toolCallId, ...whose(call.agent) })
  tell(telling, {
    type: 'TOOL_CALL_RESULT',
    messageId: agentMessageId(run.runId, 'tool_result', toolCallId),
    toolCallId,
    content: result === null && outcome !== 'ok' ? outcome : contentText(result),
    role: 'tool',
    ...whose(agent),
    ...(outcome !== 'ok' && { metadata: { daybook: { outcome } } }),
  })
}

function endingOf({ lastError }: ToldRun, stopReason: StopReason): AgentRunEnding {
  const status = statusOf[stopReason]
  if (status === 'aborted') return { kind: 'cancelled' }
  if (lastError !== undefined) return { kind: 'failed', message: lastError.message, code: lastError.code ?? 'error' }
  if (status === 'failed') return { kind: 'failed', message: `The run failed: ${stopReason}.`, code: stopReason }
  return status === 'waiting' ? { kind: 'waiting' } : { kind: 'finished', stopReason }
}
