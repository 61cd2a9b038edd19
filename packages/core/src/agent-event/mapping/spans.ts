import { encodeCanonicalJson } from '../../json/canonical-json.ts'
import type { JsonValue } from '../../json/json-value.ts'
import { agentMessageId, agentEventNames } from './names.ts'
import { tell, type Tell, whose } from './tell.ts'
import type { ToldSpan } from './told-run.ts'

interface Piece {
  readonly messageId: string
  readonly text: string
}
interface Whole extends Piece {
  readonly interrupted?: true
}
interface CallPiece {
  readonly toolCallId: string
  readonly toolName: string
}

/** Adds to a message, which begins where it is not open. */
export function tellText(telling: Tell, agent: string, { messageId: id, text: delta }: Piece): void {
  const messageId = agentMessageId(telling.told.run.runId, 'text', id)
  const owner = beginText(telling, agent, messageId)
  if (delta !== '') tell(telling, { type: 'TEXT_MESSAGE_CONTENT', messageId, delta, ...owner })
}

/** Adds what is missing of a message, and ends it. */
export function completeText(telling: Tell, agent: string, whole: Whole): void {
  const messageId = agentMessageId(telling.told.run.runId, 'text', whole.messageId)
  const owner = beginText(telling, agent, messageId, true)
  const rest = remainder(telling.told.texts.get(messageId)!, agent, whole)
  if (rest === undefined) tellReplacement(telling, agent, messageId, whole.text)
  else if (rest !== '') tell(telling, { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: rest, ...owner })
  tell(telling, { type: 'TEXT_MESSAGE_END', messageId, ...owner, ...asInterrupted(whole) })
}

function beginText(telling: Tell, agent: string, messageId: string, isWhole = false) {
  const span = telling.told.texts.get(messageId)
  const owner = whose(span?.agent ?? agent)
  if (!isBegun(span, isWhole)) tell(telling, { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant', ...owner })
  return owner
}

/** Adds to thinking, which begins where it is not open. */
export function tellThinking(telling: Tell, agent: string, { messageId: id, text: delta }: Piece): void {
  const messageId = agentMessageId(telling.told.run.runId, 'thinking', id)
  const owner = beginThinking(telling, agent, messageId)
  if (delta !== '') tell(telling, { type: 'REASONING_MESSAGE_CONTENT', messageId, delta, ...owner })
}

/** Adds what is missing of thinking, and ends it. `signature` is what the provider wants back, undefined where it wants nothing. */
export function completeThinking(telling: Tell, agent: string, whole: Whole, signature: JsonValue | undefined): void {
  const messageId = agentMessageId(telling.told.run.runId, 'thinking', whole.messageId)
  const owner = beginThinking(telling, agent, messageId, true)
  const rest = remainder(telling.told.thoughts.get(messageId)!, agent, whole)
  if (rest === undefined) tellReplacement(telling, agent, messageId, whole.text)
  else if (rest !== '') tell(telling, { type: 'REASONING_MESSAGE_CONTENT', messageId, delta: rest, ...owner })
  tell(telling, { type: 'REASONING_MESSAGE_END', messageId, ...owner, ...asInterrupted(whole) })
  if (signature !== undefined) {
    const encrypted = { subtype: 'message', entityId: messageId, encryptedValue: contentText(signature) }
    tell(telling, { type: 'REASONING_ENCRYPTED_VALUE', ...encrypted, ...owner })
  }
  tell(telling, { type: 'REASONING_END', messageId, ...owner })
}

function beginThinking(telling: Tell, agent: string, messageId: string, isWhole = false) {
  const { thoughts, reasonings } = telling.told
  const span = thoughts.get(messageId)
  const owner = whose(span?.agent ?? agent)
  if (isBegun(span, isWhole)) return owner
  if (!reasonings.has(messageId)) tell(telling, { type: 'REASONING_START', messageId, ...owner })
  tell(telling, { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning', ...owner })
  return owner
}

/** Adds to the arguments of a call, which begins where they are not open. */
export function tellArgs(telling: Tell, agent: string, call: CallPiece & { readonly text: string }): void {
  const owner = beginCall(telling, agent, call)
  const { toolCallId, text: delta } = call
  if (delta !== '') tell(telling, { type: 'TOOL_CALL_ARGS', toolCallId, delta, ...owner })
}

/** Adds what is missing of a call's arguments, and ends them. */
export function completeCall(telling: Tell, agent: string, call: CallPiece & { readonly args: JsonValue }): void {
  const owner = beginCall(telling, agent, call, true)
  const { toolCallId, toolName, args } = call
  const span = telling.told.toolCalls.get(toolCallId)!
  const isRenamed = span.toolName !== toolName
  const rest = isRenamed || span.agent !== agent ? undefined : remainingArgs(span, args)
  if (rest === undefined) {
    const value = { toolCallId, ...(isRenamed && { toolCallName: toolName }), args }
    tell(telling, { type: 'CUSTOM', name: agentEventNames.toolArgsReplaced, value, ...whose(agent) })
  } else if (rest !== '') {
    tell(telling, { type: 'TOOL_CALL_ARGS', toolCallId, delta: rest, ...owner })
  }
  tell(telling, { type: 'TOOL_CALL_END', toolCallId, ...owner })
}

function beginCall(telling: Tell, agent: string, { toolCallId, toolName }: CallPiece, isWhole = false) {
  const { toolCalls, agents } = telling.told
  const span = toolCalls.get(toolCallId)
  const key = span?.agent ?? agent
  if (!isBegun(span, isWhole)) {
    const parentMessageId = agents.get(key)?.message
    const parent = parentMessageId === undefined ? {} : { parentMessageId }
    tell(telling, { type: 'TOOL_CALL_START', toolCallId, toolCallName: toolName, ...parent, ...whose(key) })
  }
  return whose(key)
}

/** Whether what comes goes on with the span. One whose beginning was lost is begun again by what tells the whole of it. */
function isBegun(span: ToldSpan | undefined, isWhole: boolean): boolean {
  return span?.isOpen === true && !(isWhole && span.isLost)
}

/** Ends whatever is open, in an order that clients take. */
export function closeSpans(telling: Tell): void {
  const { texts, thoughts, reasonings, toolCalls, agents } = telling.told
  for (const [messageId, { isOpen, agent }] of texts) {
    if (isOpen) tell(telling, { type: 'TEXT_MESSAGE_END', messageId, ...whose(agent) })
  }
  for (const [messageId, { isOpen, agent }] of thoughts) {
    if (isOpen) tell(telling, { type: 'REASONING_MESSAGE_END', messageId, ...whose(agent) })
  }
  for (const [messageId, agent] of reasonings) {
    tell(telling, { type: 'REASONING_END', messageId, ...whose(agent) })
  }
  for (const [toolCallId, { isOpen, agent }] of toolCalls) {
    if (isOpen) tell(telling, { type: 'TOOL_CALL_END', toolCallId, ...whose(agent) })
  }
  for (const [key, { step }] of agents) {
    if (step !== undefined) tell(telling, { type: 'STEP_FINISHED', stepName: step, ...whose(key) })
  }
}

/** A text as it is; anything else as JSON. */
export function contentText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * What was not told of a text of that agent; undefined where it is told as another one. Where rows are missing, more than
 * is known of a text that was cut off may stand there, and stays.
 */
function remainder(
  { agent: owner, text: told, isCut }: ToldSpan,
  agent: string,
  { text: whole, interrupted }: Whole,
): string | undefined {
  if (owner !== agent) return undefined
  if (isCut) return interrupted === true && told.startsWith(whole) ? '' : undefined
  return whole.startsWith(told) ? whole.slice(told.length) : undefined
}

/** What was not told of the arguments' JSON; undefined where it is another one. */
function remainingArgs({ text: told, isCut }: ToldSpan, args: JsonValue): string | undefined {
  if (isCut) return undefined
  const whole = JSON.stringify(args)
  if (whole.startsWith(told)) return whole.slice(told.length)
  try {
    return encodeCanonicalJson(JSON.parse(told)) === encodeCanonicalJson(args) ? '' : undefined
  } catch {
    return undefined
  }
}

function tellReplacement(telling: Tell, agent: string, messageId: string, text: string): void {
  tell(telling, { type: 'CUSTOM', name: agentEventNames.textReplaced, value: { messageId, text }, ...whose(agent) })
}

function asInterrupted({ interrupted }: Whole): {
  readonly metadata?: { readonly daybook: { readonly interrupted: true } }
} {
  return interrupted === true ? { metadata: { daybook: { interrupted } } } : {}
}
