import { encodeCanonicalRuntimeEvent } from '../canonical-runtime-event.ts'
import { InvalidEventError, InvalidInputError } from '../errors/index.ts'
import type { RuntimeEvent } from '../runtime-event/runtime-event.ts'
import { isTerminalEvent } from '../runtime-event/terminal.ts'

/** An event with its one JSON text. It shares nothing with what the producer gave. */
export interface EncodedEvent {
  readonly event: RuntimeEvent
  readonly json: string
}

/**
 * What of a batch can be refused without looking at a ledger. Throws `InvalidEventError`, `NotCanonicalError`,
 * `PayloadTooLargeError`, or `InvalidInputError` for an empty batch.
 */
export function encodeEvents(invocationId: string, events: readonly RuntimeEvent[]): readonly EncodedEvent[] {
  if (events.length === 0) throw new InvalidInputError('events', 'must hold an event')
  return events.map((given, index) => {
    const encoded = encodeCanonicalRuntimeEvent(given)
    const { event } = encoded
    if (event.invocationId !== invocationId) throw new InvalidEventError('/invocationId', `must be "${invocationId}"`)
    if (event.actions?.ledgerDigest !== undefined) {
      throw new InvalidEventError('/actions/ledgerDigest', 'is written by the store alone')
    }
    if (!isTerminalEvent(event)) return encoded
    if (index < events.length - 1) throw new InvalidEventError('', 'ends its invocation, so it must be the last')
    // Whether it fits is known now, with a digest as long as the one that it will carry.
    stampTerminal(encoded, '0'.repeat(64))
    return encoded
  })
}

/** The terminal event with the chain of the events before it. */
export function stampTerminal({ event }: EncodedEvent, ledgerDigest: string): EncodedEvent {
  return encodeCanonicalRuntimeEvent({ ...event, actions: { ...event.actions, ledgerDigest } })
}

export function isOpening(event: RuntimeEvent): boolean {
  return event.content?.kind === 'invocation_opened'
}
