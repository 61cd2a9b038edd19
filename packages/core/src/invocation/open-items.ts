import { utf8Length } from '../json/utf8-length.ts'
import { isKnownContent } from '../runtime-event/known-content.ts'
import { maxEventBytes } from '../runtime-event/encode.ts'
import type { RequestAction } from '../runtime-event/actions.ts'
import { requestOf } from '../request/request-change.ts'
import { origin } from '../runtime-event/names.ts'
import type { RuntimeEvent } from '../runtime-event/runtime-event.ts'
import { pick } from '../json/pick.ts'
import { toolNameOf } from '../session-event/seen-before.ts'
import type {
  ErrorEvent,
  SessionEvent,
  TextDeltaEvent,
  ThinkingDeltaEvent,
  ToolStartEvent,
} from '../session-event/session-event.ts'

const originFields = ['stepId', 'agentPath'] as const
type Origin = Pick<SessionEvent, (typeof originFields)[number]>

/** A text or thinking block that was begun and not completed. */
export interface OpenText {
  readonly type: 'text' | 'thinking'
  readonly block: Origin & { readonly messageId: string }
  /** What was streamed so far; an array, so that adding to it does not copy it. */
  readonly chunks: string[]
  /** Bytes of `chunks` in the JSON of an event. */
  bytes: number
  /** More was streamed than one event can hold: the rest is not in `chunks`. */
  cut: boolean
}

/** A tool call without its result. */
export type OpenToolCall = Origin & Pick<ToolStartEvent, 'toolCallId' | 'toolName' | 'providerExecuted'>

type Asked = Pick<RequestAction, 'requestId' | 'toolCallId'>

/** What an invocation has begun and not ended, each in the order of its beginning. The `track…` functions change it in place. */
export interface OpenItems {
  readonly texts: Map<string, OpenText>
  /** By `toolCallId`. */
  readonly toolCalls: Map<string, OpenToolCall>
  /** The ids of what was asked about each call since one with its `toolCallId` had a result: the id may be used again. */
  readonly requestsOfCalls: Map<string, Set<string>>
  /** The tools of results that did not name theirs, by event id; of closed calls too, as such an event may be repeated. */
  readonly namesOfResults: Map<string, string>
  /** The last error that the backend reported: one that a terminal event still has to tell. */
  lastError?: Pick<ErrorEvent, 'message' | 'code'>
}

/** Leaves room for everything else that an event holds. */
const maxOpenTextBytes = maxEventBytes - 64 * 1024

export function noOpenItems(): OpenItems {
  return { texts: new Map(), toolCalls: new Map(), requestsOfCalls: new Map(), namesOfResults: new Map() }
}

/** Takes in what the backend yielded, once its fact is committed. */
export function trackSessionEvent(items: OpenItems, event: SessionEvent): void {
  switch (event.type) {
    case 'text_delta':
      return addText(items, 'text', event)
    case 'thinking_delta':
      return addText(items, 'thinking', event)
    case 'text_complete':
      return void items.texts.delete(textKey('text', event.messageId))
    case 'thinking_complete':
      return void items.texts.delete(textKey('thinking', event.messageId))
    case 'tool_start':
      return addToolCall(items, event)
    case 'tool_result':
      if (event.toolName === undefined) items.namesOfResults.set(event.id, toolNameOf(event, items))
      return closeToolCall(items, event.toolCallId)
    case 'sandbox_boundary_request':
    case 'user_question_request':
      return addRequest(items, event)
    case 'error':
      items.lastError = event
      return
    default:
  }
}

/**
 * Takes in a stored fact. Texts are stored when they are complete, so a ledger opens none and completes what was streamed.
 * Taking in again what is known, from the first fact to the last, changes nothing.
 */
export function trackRuntimeEvent(items: OpenItems, event: RuntimeEvent): void {
  const { content, refs, agentPath } = event
  const request = requestOf(event)
  if (request !== undefined) addRequest(items, request)
  if (!isKnownContent(content)) return
  if (content.kind === 'text' || content.kind === 'thinking') {
    if (refs?.messageId !== undefined) items.texts.delete(textKey(content.kind, refs.messageId))
  }
  if (content.kind === 'function_response') closeToolCall(items, content.toolCallId)
  if (content.kind === 'function_call') {
    const from = pick({ ...refs, ...(agentPath && { agentPath }) }, ...originFields)
    // That of a foreign row may be one which no event of ours can repeat.
    const isRepeatable = origin(from, true) === undefined
    addToolCall(items, { ...content, toolName: content.name, ...(isRepeatable && from) })
  }
}

function addToolCall(items: OpenItems, call: OpenToolCall): void {
  items.toolCalls.set(call.toolCallId, pick(call, 'toolCallId', 'toolName', 'providerExecuted', ...originFields))
}

function closeToolCall(items: OpenItems, toolCallId: string): void {
  items.toolCalls.delete(toolCallId)
  items.requestsOfCalls.delete(toolCallId)
}

function addRequest({ requestsOfCalls }: OpenItems, { requestId, toolCallId }: Asked): void {
  if (toolCallId === undefined) return
  const asked = requestsOfCalls.get(toolCallId) ?? new Set()
  requestsOfCalls.set(toolCallId, asked.add(requestId))
}

function addText(items: OpenItems, type: OpenText['type'], event: TextDeltaEvent | ThinkingDeltaEvent): void {
  const { messageId, text } = event
  const key = textKey(type, messageId)
  let item = items.texts.get(key)
  if (item === undefined) {
    item = { type, block: pick(event, 'messageId', ...originFields), chunks: [], bytes: 0, cut: false }
    items.texts.set(key, item)
  }
  const bytes = utf8Length(JSON.stringify(text)) - 2
  item.cut ||= item.bytes + bytes > maxOpenTextBytes
  if (item.cut) return
  item.chunks.push(text)
  item.bytes += bytes
}

/** A text and a thinking block may have the same id. */
function textKey(type: OpenText['type'], messageId: string): string {
  return `${type} ${messageId}`
}
