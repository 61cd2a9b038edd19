import type { StoredRuntimeEvent } from '../runtime-event/runtime-event.ts'
import { type CallEntry, outcomeOf } from './entries.ts'
import { callPart, type PlainContent, plainPart, resultPart } from './parts.ts'
import { type Step, stepsOf } from './steps.ts'
import type { ModelMessage, TextPart, ToolResultPart } from './transcript-message.ts'
import { type Turn, turnsOf } from './turns.ts'

type AssistantPart = Extract<ModelMessage, { role: 'assistant' }>['parts'][number]

type Draft =
  | { role: 'user'; parts: TextPart[] }
  | { role: 'assistant'; parts: AssistantPart[] }
  | { role: 'tool'; parts: ToolResultPart[] }

/**
 * The conversation of one session as the next model call is given it, in a form that strict providers accept: the roles
 * alternate, and what providers refuse is left out, which is blank text, thinking that was cut off unsigned or that
 * nothing follows, results without a call, and calls of the provider's own tools that it never answered.
 * The events may come in any order.
 */
export function modelMessagesFromEvents(events: readonly StoredRuntimeEvent[]): ModelMessage[] {
  const messages: Draft[] = []
  for (const turn of turnsOf(events)) {
    if (turn.isSubAgent) continue
    for (const block of stepsOf(turn)) {
      if (block.type === 'step') addStep(messages, block, turn)
      else if (!isBlank(block.content.text)) add(messages, { role: 'user', parts: [plainPart(block.content)] })
    }
  }
  return messages
}

function addStep(messages: Draft[], { entries }: Step, turn: Turn): void {
  const parts: AssistantPart[] = []
  const results: ToolResultPart[] = []
  for (const entry of entries) {
    if (entry.type === 'plain') {
      const part = modelPart(entry.content)
      if (part !== undefined) parts.push(part)
    } else {
      const call = callPart(entry.content)
      const result = modelResult(entry, turn)
      if (call.providerExecuted !== true) {
        parts.push(call)
        results.push(result)
      } else if (result.outcome !== 'unknown' && result.outcome !== 'not_answered') {
        parts.push(call, result)
      }
    }
  }
  while (parts.at(-1)?.type === 'thinking') parts.pop()
  add(messages, { role: 'assistant', parts })
  add(messages, { role: 'tool', parts: results })
}

function modelPart(content: PlainContent): AssistantPart | undefined {
  switch (content.kind) {
    case 'text':
      return isBlank(content.text) ? undefined : plainPart(content)
    case 'thinking': {
      const { interrupted, text, providerMetadata } = content
      const isUsable = providerMetadata !== undefined || (interrupted !== true && !isBlank(text))
      return isUsable ? plainPart(content) : undefined
    }
    case 'file':
      return plainPart(content)
    case 'source':
    case 'error':
      return undefined
  }
}

/** A model call cannot wait: what is open counts as what it would be if nobody came back to it. */
function modelResult(entry: CallEntry, turn: Turn): ToolResultPart {
  const { content, invocation, response } = entry
  const outcome = outcomeOf(entry, turn)
  const settled = outcome !== 'open' ? outcome : invocation.state === 'waiting' ? 'not_answered' : 'unknown'
  const shown = response?.event.modelVisibility === 'visible' ? response.content : undefined
  return resultPart(content, settled, shown)
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}

/** Roles alternate: what follows a message of its own role joins it. */
function add(messages: Draft[], { role, parts }: Draft): void {
  if (parts.length === 0) return
  const last = messages.at(-1)
  if (last?.role !== role) messages.push({ role, parts } as Draft)
  else for (const part of parts) (last.parts as unknown[]).push(part)
}
