import type { Clock } from '../ports/clock.ts'
import type { NewId } from '../ports/ids.ts'
import type { ToolOutcome } from '../runtime-event/content.ts'
import type { TextCompleteEvent, ThinkingCompleteEvent, ToolResultEvent } from '../session-event/session-event.ts'
import type { OpenItems } from './open-items.ts'

/** What makes the closing events those of one turn. */
export interface ClosingStamp {
  readonly turnId: string
  readonly newId: NewId
  readonly now: Clock
  /** What became of the open tool calls: `unknown` after a crash or a stop; absent, they stay open for what they wait for. */
  readonly callOutcome?: ToolOutcome
}

type ClosingEvent = TextCompleteEvent | ThinkingCompleteEvent | ToolResultEvent

export interface ClosingEvents {
  /** To be committed in this order, right before the terminal event. */
  readonly events: readonly ClosingEvent[]
  /** Some text was longer than an event can be and is kept in part: the terminal event must say so. */
  readonly textCut: boolean
}

/**
 * What closes everything that is open: each text and thinking block with what was streamed of it, marked interrupted
 * (nothing for one without text), then each tool call, with the result null. Leaves `items` as they are.
 */
export function closingEvents(items: OpenItems, { turnId, newId, now, callOutcome }: ClosingStamp): ClosingEvents {
  const events: ClosingEvent[] = []
  const stamp = () => ({ id: newId(), turnId, ts: now() })
  let textCut = false
  for (const { type, block, chunks, bytes, cut } of items.texts.values()) {
    textCut ||= cut
    if (bytes === 0) continue
    events.push({ type: `${type}_complete`, ...stamp(), ...block, text: chunks.join(''), interrupted: true })
  }
  if (callOutcome === undefined) return { events, textCut }
  for (const call of items.toolCalls.values()) {
    events.push({ type: 'tool_result', ...stamp(), ...call, outcome: callOutcome, result: null })
  }
  return { events, textCut }
}
