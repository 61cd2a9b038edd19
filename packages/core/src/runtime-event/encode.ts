import { InvalidEventError, PayloadTooLargeError } from '../errors/input-errors.ts'
import { canonicalCopy } from '../json/canonical-json.ts'
import { utf8Length } from '../json/utf8-length.ts'
import { writtenEvent } from './event-shape.ts'
import type { RuntimeEvent } from './runtime-event.ts'
import { isTerminalEvent } from './terminal.ts'

/** Bytes of UTF-8 that the JSON text of one event may have: 1 MiB. */
export const maxEventBytes = 1_048_576

/**
 * Checks a value strictly and gives its one JSON text, together with the event as that text reads: a copy that shares
 * nothing with the value. Throws `NotCanonicalError`, `PayloadTooLargeError` or `InvalidEventError`.
 */
export function encodeCanonicalRuntimeEvent(value: unknown): { readonly event: RuntimeEvent; readonly json: string } {
  const { json, copy } = canonicalCopy(value)
  // A UTF-16 unit has at most three bytes.
  if (json.length * 3 > maxEventBytes) {
    const bytes = utf8Length(json)
    if (bytes > maxEventBytes) throw new PayloadTooLargeError('the event', bytes, maxEventBytes)
  }
  const fault = writtenEvent(copy, false)
  if (fault !== undefined) throw new InvalidEventError(fault.path, fault.problem)
  const event = copy as unknown as RuntimeEvent
  if (event.actions?.ledgerDigest !== undefined && !isTerminalEvent(event)) {
    throw new InvalidEventError('/actions/ledgerDigest', 'belongs on a terminal event')
  }
  return { event, json }
}
