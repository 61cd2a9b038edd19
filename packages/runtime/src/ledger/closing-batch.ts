import { closingEvents, trackSessionEvent } from '@daybook/core'
import type { RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import type { SessionEvent } from '@daybook/core/events'
import type { Stamp } from '../turn/stamp.ts'
import type { TurnLedger } from './turn-ledger.ts'

/** What ends an invocation: `events` are told in this order once `facts` are committed, all in one append. */
export interface ClosingBatch {
  readonly events: readonly SessionEvent[]
  readonly facts: readonly RuntimeEvent[]
  readonly terminal: RuntimeEvent
}

/**
 * What `ending` says, whose last event is the terminal one, with everything that is open closed right before that.
 * The open calls of an invocation that ends as waiting stay open: for the transcript they become `not_answered` once the
 * session goes on with another turn.
 *
 * `texts`: what was told of a text that did not complete is kept as interrupted; where only a part is known, or it is lost,
 * the terminal says so.
 */
export function closingBatch(
  ledger: TurnLedger,
  ending: readonly [...SessionEvent[], SessionEvent],
  texts: 'kept' | 'kept in part' | 'lost',
  stamp: Stamp,
): ClosingBatch {
  const before = ending.slice(0, -1)
  const last = ending.at(-1) as SessionEvent
  for (const event of before) trackSessionEvent(ledger.openItems, event)
  const terminal = ledger.factOf(last) as RuntimeEvent
  const closing = closingEvents(texts === 'lost' ? { ...ledger.openItems, texts: new Map() } : ledger.openItems, {
    turnId: last.turnId,
    ...stamp,
    ...(terminal.status !== 'waiting' && { callOutcome: 'unknown' as const }),
  })
  const marked = texts !== 'kept' || closing.textCut ? withLostText(terminal) : terminal
  const events = [...before, ...closing.events]
  return {
    events: [...events, last],
    facts: [...events.flatMap((event) => ledger.factOf(event) ?? []), marked],
    terminal: marked,
  }
}

function withLostText(terminal: RuntimeEvent): RuntimeEvent {
  const { actions } = terminal
  if (actions?.ending === undefined) return terminal
  return { ...terminal, actions: { ...actions, ending: { ...actions.ending, partialText: 'not_recorded' } } }
}
