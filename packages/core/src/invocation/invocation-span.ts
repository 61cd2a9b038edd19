import type { StoredRuntimeEvent } from '../runtime-event/runtime-event.ts'
import { isTerminalEvent } from '../runtime-event/terminal.ts'

/** Where an invocation begins and, once it has ended, where it ends: what is stored behind its terminal is a straggler. */
export interface InvocationSpan {
  readonly opening: StoredRuntimeEvent
  readonly terminal?: StoredRuntimeEvent
}

/**
 * The span of every invocation that these events open, by invocation id. Events may come in any order. Like the SQL of
 * the index it looks only at what decides: an opening is event 1 of kind `invocation_opened` with an integer `ts`; the
 * terminal event with the lowest `eventSeq` ends it; partial events do neither.
 */
export function invocationSpans(events: Iterable<StoredRuntimeEvent>): Map<string, InvocationSpan> {
  const spans = new Map<string, InvocationSpan>()
  const terminals = new Map<string, StoredRuntimeEvent>()
  for (const stored of events) {
    const { event, eventSeq } = stored
    const { invocationId } = event
    if (eventSeq === 1 && isOpening(stored)) spans.set(invocationId, { opening: stored })
    if (isTerminalEvent(event) && eventSeq < (terminals.get(invocationId)?.eventSeq ?? Infinity)) {
      terminals.set(invocationId, stored)
    }
  }
  for (const [invocationId, { opening }] of spans) {
    const terminal = terminals.get(invocationId)
    if (terminal !== undefined) spans.set(invocationId, { opening, terminal })
  }
  return spans
}

/** Whether the event opens its invocation, where it is event 1. */
export function isOpening({ event }: StoredRuntimeEvent): boolean {
  return (
    (event.partial as boolean) !== true && event.content?.kind === 'invocation_opened' && Number.isSafeInteger(event.ts)
  )
}
