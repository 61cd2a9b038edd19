import { InvalidEventError } from '../errors/input-errors.ts'
import type { JsonObject } from '../json/json-value.ts'
import { readEnvelope } from './event-shape.ts'
import type { RuntimeEvent } from './runtime-event.ts'
import { upcast } from './upcast.ts'

/**
 * Reads an event from a ledger, whichever version wrote it: kinds and fields that this version does not know stay as they
 * are, so that the canonical JSON of what is returned is the text that was read (of an older version: is what it became).
 * Only the envelope is checked; before using content, narrow it with `isKnownContent`. Throws `InvalidEventError` on what is not an event.
 */
export function decodeCanonicalRuntimeEvent(json: string): RuntimeEvent {
  let event: unknown
  try {
    event = JSON.parse(json)
  } catch (error) {
    throw new InvalidEventError('', 'is not JSON', { cause: error })
  }
  const fault = readEnvelope(event, true)
  if (fault !== undefined) throw new InvalidEventError(fault.path, fault.problem)
  return upcast(event as JsonObject) as unknown as RuntimeEvent
}
