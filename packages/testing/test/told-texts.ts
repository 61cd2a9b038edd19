import { agentEventNames, type AgentEvent, agentMessageId } from '@daybook/core'
import type { SessionEvent } from '@daybook/core/events'
import type { AnySessionEvent } from './random-session-events.ts'

/** By the id of the message: what a client shows. */
export function shownTexts(events: readonly AgentEvent[]): ReadonlyMap<string, string> {
  return new Map([...blocksOf(events)].map(([id, texts]) => [id, texts.join('')]))
}

/** By the id of the message: what was shown since the START of those without an END. */
export function openTexts(events: readonly AgentEvent[]): ReadonlyMap<string, string> {
  const open = new Set<string>()
  for (const { type, messageId } of events) {
    if (type === 'TEXT_MESSAGE_START' || type === 'REASONING_MESSAGE_START') open.add(messageId as string)
    if (type === 'TEXT_MESSAGE_END' || type === 'REASONING_MESSAGE_END') open.delete(messageId as string)
  }
  const last = [...blocksOf(events)].map(([id, texts]) => [id, texts.at(-1) ?? ''] as const)
  return new Map(last.filter(([id, text]) => open.has(id) && text !== ''))
}

function blocksOf(events: readonly AgentEvent[]): ReadonlyMap<string, readonly string[]> {
  const blocks = new Map<string, string[]>()
  const last = (id: string): string[] => blocks.get(id) ?? []
  for (const { type, messageId: id, delta, name, value } of events) {
    const messageId = id as string
    if (type === 'TEXT_MESSAGE_START' || type === 'REASONING_MESSAGE_START') {
      blocks.set(messageId, [...last(messageId), ''])
    } else if (type === 'TEXT_MESSAGE_CONTENT' || type === 'REASONING_MESSAGE_CONTENT') {
      const texts = last(messageId)
      texts.push(texts.pop() + (delta as string))
    } else if (type === 'CUSTOM' && name === agentEventNames.textReplaced) {
      const said = value as { messageId: string; text: string }
      last(said.messageId).splice(-1, 1, said.text)
    }
  }
  return blocks
}

/** By the id of the message: what the backend said until its end. */
export function saidTexts(runId: string, events: readonly AnySessionEvent[]): ReadonlyMap<string, string> {
  const ended = new Map<string, string>()
  const open = new Map<string, string>()
  for (const event of events as readonly SessionEvent[]) {
    if (event.type === 'complete' || event.type === 'abort') break
    const [, kind, part] = /^(text|thinking)_(delta|complete)$/.exec(event.type) ?? []
    if (kind === undefined) continue
    const { messageId, text } = event as Extract<SessionEvent, { type: 'text_complete' }>
    const id = agentMessageId(runId, kind as 'text' | 'thinking', messageId)
    if (part === 'delta') {
      open.set(id, (open.get(id) ?? '') + text)
      continue
    }
    ended.set(id, (ended.get(id) ?? '') + text)
    open.delete(id)
  }
  for (const [id, text] of open) ended.set(id, (ended.get(id) ?? '') + text)
  return ended
}
