import { InvalidEventError } from '../errors/input-errors.ts'
import { isObject } from '../json/check.ts'
import { makeStorable } from '../json/storable.ts'
import { shapeOfType } from './event-shape.ts'
import type { SessionEvent, UnknownSessionEvent } from './session-event.ts'

/**
 * Checks what a backend yielded for this turn. Gives a copy that is safe to read: only fields of the type `unknown`, and
 * those that this version does not know, still are the backend's own values. Throws `InvalidEventError` with the path.
 */
export function decodeSessionEvent(value: unknown, turnId: string): SessionEvent | UnknownSessionEvent {
  const event = ownFields(value)
  if ('agentPath' in event) event.agentPath = plainJson(event.agentPath, '/agentPath')
  if (event.type === 'token_usage') event.usage = plainJson(event.usage, '/usage')
  const fault = shapeOfType(event.type)(event, true)
  if (fault !== undefined) throw new InvalidEventError(fault.path, fault.problem)
  if (event.turnId !== turnId) throw new InvalidEventError('/turnId', `must be ${JSON.stringify(turnId)}`)
  return event as unknown as SessionEvent | UnknownSessionEvent
}

/** The fields that have a value, each read once. */
function ownFields(value: unknown): Record<string, unknown> {
  try {
    if (isObject(value)) return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined))
  } catch (error) {
    throw new InvalidEventError('', 'cannot be read', { cause: error })
  }
  throw new InvalidEventError('', 'must be an object')
}

function plainJson(value: unknown, path: string): unknown {
  const { value: plain, changes } = makeStorable(value)
  const loss = changes.find(({ was }) => was !== 'undefined')
  if (loss !== undefined) throw new InvalidEventError(path + loss.path, `must be JSON: it has a ${loss.was}`)
  return plain
}
