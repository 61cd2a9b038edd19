import { makeStorable } from '../json/storable.ts'
import type { RuntimeEvent, RuntimeEventRefs } from '../runtime-event/runtime-event.ts'
import { byBackend, factOf, isFact } from './fact.ts'
import type { Fact, FactEvent, Storable } from './fact.ts'
import { isKnownSessionEvent, shapeOfType } from './event-shape.ts'
import { pick } from '../json/pick.ts'
import type { SeenBefore } from './seen-before.ts'
import type { SessionEvent, UnknownSessionEvent } from './session-event.ts'

const refNames: ReadonlySet<string> = new Set<keyof RuntimeEventRefs>([
  'messageId',
  'requestId',
  'stepId',
  'toolCallId',
])

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
  // The order matters where the values are too large: what comes last is cut off.
  const { value, changes } = makeStorable({ ...pick(event as Record<string, unknown>, ...fields), ...event })
  const stored = value as unknown as Storable<FactEvent>
  const isKnown = isKnownSessionEvent(event)
  const members = Object.entries(stored)
  const refs = Object.fromEntries(members.filter(([name]) => refNames.has(name) && fields.includes(name)))
  const rest = Object.fromEntries(members.filter(([name]) => !fields.includes(name)))

  const fact: Fact = isKnown ? factOf(stored, seen) : byBackend
  const told = fact.actions?.stateDelta
  // A custom event may have the name of its type.
  const taken = told && Object.hasOwn(told, stored.type) ? { value: told[stored.type]! } : {}
  const stateDelta = { ...told, ...((!isKnown || hasFields(rest)) && { [stored.type]: { ...taken, ...rest } }) }
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

function hasFields(object: object): boolean {
  return Object.keys(object).length > 0
}
