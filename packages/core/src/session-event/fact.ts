import { isObject } from '../json/check.ts'
import type { JsonObject, JsonValue } from '../json/json-value.ts'
import { makeStorable } from '../json/storable.ts'
import type { AnswerAckAction, InvocationEnding, RequestAction, StopReason } from '../runtime-event/actions.ts'
import type { ErrorContent, KnownContent } from '../runtime-event/content.ts'
import type { RuntimeEvent, TerminalStatus } from '../runtime-event/runtime-event.ts'
import { pick } from '../json/pick.ts'
import { type SeenBefore, toolNameOf } from './seen-before.ts'
import type {
  SandboxBoundaryRequestEvent,
  SessionEvent,
  TextCompleteEvent,
  ThinkingCompleteEvent,
  UnknownSessionEvent,
  UserQuestionRequestEvent,
} from './session-event.ts'

/** Shown to people who watch and never stored: what these announce follows whole. */
const typesWithoutFact = [
  'text_delta',
  'thinking_delta',
  'tool_input_delta',
  'tool_result_preview',
  'provider_retry',
] as const

export type FactEvent = Exclude<SessionEvent, { type: (typeof typesWithoutFact)[number] }>

export function isFact({ type }: SessionEvent | UnknownSessionEvent): boolean {
  return !typesWithoutFact.some((other) => other === type)
}

/** An event whose values of any kind were made storable. */
export type Storable<Event> = Event extends unknown
  ? { readonly [Name in keyof Event]: unknown extends Event[Name] ? JsonValue | undefined : Event[Name] }
  : never

/** What an event says, without the envelope. */
export type Fact = Pick<RuntimeEvent, 'role' | 'author' | 'modelVisibility' | 'status' | 'actions'> & {
  readonly content?: KnownContent
}

const byModel = { role: 'model', author: 'agent', modelVisibility: 'visible' } as const
const byTool = { role: 'tool', author: 'tool', modelVisibility: 'visible' } as const
const bySystem = { role: 'system', author: 'system', modelVisibility: 'hidden' } as const
export const byBackend = { role: 'system', author: 'agent', modelVisibility: 'hidden' } as const

export function factOf(event: Storable<FactEvent>, seen: SeenBefore): Fact {
  switch (event.type) {
    case 'text_complete':
      return { ...byModel, content: { kind: 'text', ...textOf(event) } }
    case 'thinking_complete':
      return { ...byModel, content: { kind: 'thinking', ...textOf(event) } }
    case 'tool_start': {
      const { toolCallId, toolName: name, args = null } = event
      return { ...byModel, content: { kind: 'function_call', toolCallId, name, args, ...fromProvider(event) } }
    }
    case 'tool_result': {
      const { toolCallId, outcome = 'ok', result = null } = event
      const response = {
        toolCallId,
        name: toolNameOf(event, seen),
        outcome,
        result,
        ...pick(event, 'durationMs'),
        ...fromProvider(event),
      }
      return { ...byTool, content: { kind: 'function_response', ...response } }
    }
    case 'source': {
      const source = { ...pick(event, 'sourceId', 'url', 'title', 'mediaType'), ...fromProvider(event) }
      return { ...byModel, modelVisibility: 'hidden', content: { kind: 'source', ...source } }
    }
    case 'file':
      return { ...byModel, content: { kind: 'file', ...pick(event, 'mediaType', 'data'), ...fromProvider(event) } }
    case 'token_usage':
      return { ...bySystem, actions: { tokenUsage: event.usage } }
    case 'sandbox_boundary_request':
      return request(event, 'sandbox_boundary', event.request, seen)
    case 'user_question_request':
      return request(event, 'user_question', event.question, seen)
    case 'sandbox_boundary_decision_ack':
      return answerAck(pick(event, 'requestId', 'decision'))
    case 'user_question_answer_ack':
      return answerAck(pick(event, 'requestId'))
    case 'custom':
      return { ...byBackend, actions: { stateDelta: { [event.name]: event.value ?? null } } }
    case 'error':
      return { ...byBackend, content: { kind: 'error', ...pick(event, 'message', 'code') } }
    case 'abort':
      return ending('aborted', {
        stopReason: 'user_stop',
        ...(event.source !== undefined && { abortSource: event.source }),
      })
    case 'complete':
      return completion(event.stopReason, seen.lastError)
  }
}

function textOf(event: Storable<TextCompleteEvent | ThinkingCompleteEvent>) {
  return { text: event.text, ...(event.interrupted && { interrupted: event.interrupted }), ...fromProvider(event) }
}

interface FromProvider {
  readonly providerExecuted?: true
  readonly providerMetadata?: JsonObject
}

function fromProvider(event: {
  readonly providerExecuted?: true
  readonly providerMetadata?: JsonValue | undefined
}): FromProvider {
  const { providerExecuted, providerMetadata: value } = event
  return {
    ...(providerExecuted && { providerExecuted }),
    ...(value !== undefined && { providerMetadata: isObject(value) ? (value as JsonObject) : { value } }),
  }
}

function request(
  event: Storable<SandboxBoundaryRequestEvent | UserQuestionRequestEvent>,
  kind: RequestAction['kind'],
  payload: JsonValue = null,
  { wait = 'later' }: SeenBefore,
): Fact {
  const asked = pick(event, 'requestId', 'toolCallId', 'expiresInMs')
  return { ...bySystem, actions: { request: { ...asked, kind, payload, ...(wait === 'live' && { wait }) } } }
}

function answerAck(ack: AnswerAckAction): Fact {
  return { ...byBackend, actions: { answerAck: ack } }
}

function ending(status: TerminalStatus, ending: InvocationEnding): Fact {
  return { ...byBackend, status, actions: { endInvocation: true, ending } }
}

export const statusOf: Readonly<Record<StopReason, TerminalStatus>> = {
  end_turn: 'completed',
  max_tokens: 'completed',
  waiting: 'waiting',
  user_stop: 'aborted',
  content_filter: 'failed',
  step_limit: 'failed',
  context_limit: 'failed',
  error: 'failed',
}

/** An error makes every ending a failure, except that who stops it wanted no more. */
function completion(stopReason: StopReason, lastError: SeenBefore['lastError']): Fact {
  const status = statusOf[stopReason]
  if (status === 'aborted') return ending(status, { stopReason })
  if (lastError === undefined)
    return ending(status, { stopReason, ...(status === 'failed' && { failureCode: stopReason }) })
  const error = makeStorable(pick(lastError, 'message', 'code')).value as Omit<ErrorContent, 'kind'>
  return {
    ...ending('failed', { stopReason, failureCode: error.code ?? 'error' }),
    content: { kind: 'error', ...error },
  }
}
