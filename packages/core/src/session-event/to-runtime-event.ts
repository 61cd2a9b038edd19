import { makeStorable } from '../json/storable.ts'
import type { RuntimeEvent, RuntimeEventRefs } from '../runtime-event/runtime-event.ts'
import { byBackend, factOf, isFact } from './fact.ts'
import type { Fact, FactEvent, Storable } from './fact.ts'
import { isKnownSessionEvent, shapeOfType } from './event-shape.ts'
import { pick } from '../json/pick.ts'
import type { SeenBefore } from './seen-before.ts'
import type { SessionEvent, UnknownSessionEvent } from './session-event.ts'

const refNames: readonly (keyof RuntimeEventRefs)[] = ['messageId', 'requestId', 'stepId', 'toolCallId']

/**
 * The fact of a session event that `decodeSessionEvent` gave; undefined for deltas, previews and retries, which are none.
 * Its id and `ts` are the backend's. Values that JSON cannot hold are made storable, and the fact says which; fields that
 * this version does not know are kept in `stateDelta`, under the name of the type. Never throws.
 */
export function runtimeEventFromSessionEvent(
  event: SessionEvent | UnknownSessionEvent,
  ids: Pick<RuntimeEvent, 'sessionId' | 'invocationId' | 'runId'>,
  seen: SeenBefore,
): RuntimeEvent | undefined {
  if (!isFact(event)) return undefined
  const { fields } = shapeOfType(event.type)
  const { value, changes } = makeStorable(
    isInOrder(event, fields) ? event : { ...pick(event as Record<string, unknown>, ...fields), ...event },
  )
  const stored = value as unknown as Storable<FactEvent>
  const isKnown = isKnownSessionEvent(event)
  const refs = pick(stored as RuntimeEventRefs, ...refNames.filter((name) => fields.includes(name)))
  const unknown = Object.entries(stored).filter(([name]) => !fields.includes(name))

  const fact: Fact = isKnown ? factOf(stored, seen) : byBackend
  const told = fact.actions?.stateDelta
  // A custom event may have the name of its type.
  const taken = told && Object.hasOwn(told, stored.type) ? { value: told[stored.type]! } : {}
  const stateDelta = {
    ...told,
    ...((!isKnown || unknown.length > 0) && { [stored.type]: { ...taken, ...Object.fromEntries(unknown) } }),
  }
  const actions = {
    ...fact.actions,
    ...(hasFields(stateDelta) && { stateDelta }),
    ...(changes.length > 0 && { storableChanges: changes }),
  }
  return {
    ...(hasFields(actions) && { actions }),
    ...pick(stored, 'agentPath'),
    author: fact.author,
    ...pick(fact, 'content'),
    id: event.id,
    invocationId: ids.invocationId,
    modelVisibility: fact.modelVisibility,
    partial: false,
    ...(hasFields(refs) && { refs }),
    role: fact.role,
    runId: ids.runId,
    sessionId: ids.sessionId,
    ...pick(fact, 'status'),
    ts: stored.ts,
    turnId: event.turnId,
  }
}

/** Where the values are too large, what comes last is cut off: the declared fields come first, in their order. */
function isInOrder(event: object, fields: readonly string[]): boolean {
  let place = 0
  return Object.keys(event).every((name) => {
    const before = place
    place = fields.indexOf(name)
    if (place === -1) place = fields.length
    return place >= before
  })
}

function hasFields(object: object): boolean {
  return Object.keys(object).length > 0
}
