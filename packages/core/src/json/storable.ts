import { memberPointer } from './json-pointer.ts'
import type { JsonValue } from './json-value.ts'
import { plainForm } from './plain-form.ts'
import { setOwn } from './set-own.ts'

/** One place where a producer's value had no lossless JSON text, and what was stored instead. */
export interface StorableChange {
  /** JSON Pointer into the session event, cut after 1000 characters. */
  readonly path: string
  /** What was there, such as `bigint`, `date`, `lone_surrogate`, `cycle`; see `makeStorable`. */
  readonly was: string
}

const maxChanges = 100
const maxPathLength = 1000

/** Fewer levels than `encodeCanonicalJson` takes: an event goes around the value. */
const maxStorableDepth = 200

/** Limits the text of a value, in UTF-16 units with so many for each value in it. What costs more never fits in an event. */
const maxCost = 2 ** 24
const costOfValue = 32

/**
 * Turns any value into one that `encodeCanonicalJson` takes, and says what it changed. Never throws, always ends, and
 * shares nothing with the value. After 100 changes a last one, with an empty path, says how many more there were.
 *
 * | was | is stored as |
 * |---|---|
 * | `undefined` | null; as a field of an object not at all |
 * | `hole` of an array | null |
 * | `negative_zero` | 0 |
 * | `not_finite` | the text `NaN`, `Infinity` or `-Infinity` |
 * | `lone_surrogate` in a text or key | U+FFFD |
 * | `same_key`: two keys became equal | the key with U+FFFD and a number after it |
 * | `bigint` | its decimal text |
 * | `symbol`, `function` | the text `Symbol(…)`, `[function]` |
 * | `date`, `regexp` | its ISO text (`Invalid Date` for none), its source text |
 * | `error` | an object with name, message, cause, errors and its own fields, without the stack |
 * | `map`, `set` | an array of [key, value] pairs, an array |
 * | `bytes`: ArrayBuffer, DataView, Uint8Array, Uint8ClampedArray | base64 text |
 * | `typed_array` of another kind | an array |
 * | `to_json`: it has a method toJSON, such as URL | what the method returns |
 * | `instance` of another class | an array, or an object of its own enumerable fields |
 * | `accessor` | what it returned |
 * | `symbol_key`: fields named by symbols, `named_item`: fields of an array, `not_enumerable` | not at all |
 * | `cycle`, `too_deep` below 200 levels | the text `[cycle]`, `[too deep]` |
 * | `too_large`: 16 Mi characters or half a million values in all | what came before it: too much for an event in any case |
 * | `unreadable`: it threw | the text `[unreadable]` |
 */
export function makeStorable(value: unknown): {
  readonly value: JsonValue
  readonly changes: readonly StorableChange[]
} {
  const walk: Walk = { keys: [], ancestors: [], changes: [], moreChanges: 0, renamedKeys: 0, cost: 0 }
  const stored = storeProperty({ value }, undefined, walk) ?? null
  if (walk.moreChanges > 0) walk.changes.push({ path: '', was: `${walk.moreChanges} more` })
  return { value: stored, changes: walk.changes }
}

interface Walk {
  readonly keys: PropertyKey[]
  readonly ancestors: object[]
  readonly changes: StorableChange[]
  moreChanges: number
  renamedKeys: number
  cost: number
}

/** Notes that something at this place was changed, and returns what is there now. */
function changed<Stored>(walk: Walk, was: string, stored: Stored): Stored {
  if (walk.changes.length === maxChanges) {
    walk.moreChanges++
  } else {
    walk.changes.push({ path: walk.keys.reduce(memberPointer, '').slice(0, maxPathLength).toWellFormed(), was })
  }
  return stored
}

/** Only here is something caught: what throws while it is read makes the property unreadable. */
function storeProperty(property: PropertyDescriptor, owner: unknown, walk: Walk): JsonValue | undefined {
  const { length: keys } = walk.keys
  const { length: level } = walk.ancestors
  try {
    const value: unknown = 'value' in property ? property.value : changed(walk, 'accessor', property.get?.call(owner))
    return storeValue(value, walk)
  } catch {
    walk.keys.length = keys
    walk.ancestors.length = level
    return changed(walk, 'unreadable', '[unreadable]')
  }
}

function storeValue(value: unknown, walk: Walk): JsonValue | undefined {
  switch (typeof value) {
    case 'string':
      return storeText(value, walk)
    case 'number':
      if (!Number.isFinite(value)) return changed(walk, 'not_finite', String(value))
      return Object.is(value, -0) ? changed(walk, 'negative_zero', 0) : value
    case 'boolean':
      return value
    case 'bigint':
      return changed(walk, 'bigint', storeText(String(value), walk))
    case 'symbol':
      return changed(walk, 'symbol', storeText(String(value), walk))
    case 'function':
      return changed(walk, 'function', '[function]')
    case 'object':
      return value === null ? null : storeContainer(value, walk)
    default:
      return changed(walk, 'undefined', undefined)
  }
}

function storeText(text: string, walk: Walk): string {
  const room = maxCost - walk.cost
  walk.cost += text.length
  if (text.length > room) return changed(walk, 'too_large', text.slice(0, Math.max(room, 0)).toWellFormed())
  return text.isWellFormed() ? text : changed(walk, 'lone_surrogate', text.toWellFormed())
}

function storeContainer(container: object, walk: Walk): JsonValue | undefined {
  if (walk.ancestors.includes(container)) return changed(walk, 'cycle', '[cycle]')
  if (walk.ancestors.length === maxStorableDepth) return changed(walk, 'too_deep', '[too deep]')
  walk.ancestors.push(container)
  const form = plainForm(container)
  const stored =
    form !== undefined
      ? storeValue(changed(walk, form.was, form.value), walk)
      : Array.isArray(container)
        ? storeArray(container, walk)
        : storeObject(container, walk)
  walk.ancestors.pop()
  return stored
}

function storeArray(array: unknown[], walk: Walk): JsonValue {
  const stored: JsonValue[] = []
  const { length } = array
  for (let index = 0; index < length; index++) {
    if (walk.cost > maxCost) return changed(walk, 'too_large', stored)
    walk.cost += costOfValue
    walk.keys.push(index)
    const property = Object.getOwnPropertyDescriptor(array, index)
    stored.push((property === undefined ? changed(walk, 'hole', null) : storeProperty(property, array, walk)) ?? null)
    walk.keys.pop()
  }
  if (Object.getPrototypeOf(array) !== Array.prototype) return changed(walk, 'instance', stored)
  // An array lists its indices, its length, then what else it has.
  return Object.getOwnPropertyNames(array).at(-1) === 'length' ? stored : changed(walk, 'named_item', stored)
}

function storeObject(object: object, walk: Walk): JsonValue {
  const stored: Record<string, JsonValue> = {}
  const prototype: unknown = Object.getPrototypeOf(object)
  const isPlain = prototype === Object.prototype || prototype === null
  for (const key of Object.getOwnPropertyNames(object)) {
    if (walk.cost > maxCost) return changed(walk, 'too_large', stored)
    walk.cost += costOfValue
    walk.keys.push(key)
    const property = Object.getOwnPropertyDescriptor(object, key)
    if (property?.enumerable) {
      const name = freeKey(key, stored, walk)
      const value = storeProperty(property, object, walk)
      if (value !== undefined) setOwn(stored, name, value)
    } else if (isPlain) {
      changed(walk, 'not_enumerable', undefined)
    }
    walk.keys.pop()
  }
  if (!isPlain) return changed(walk, 'instance', stored)
  if (Object.getOwnPropertySymbols(object).length > 0) changed(walk, 'symbol_key', undefined)
  return stored
}

function freeKey(key: string, taken: object, walk: Walk): string {
  const wellFormed = storeText(key, walk)
  if (!Object.hasOwn(taken, wellFormed)) return wellFormed
  let free: string
  // The number never goes back, so that keys made to collide cost no more than others.
  do free = `${wellFormed}\ufffd${++walk.renamedKeys}`
  while (Object.hasOwn(taken, free))
  return changed(walk, 'same_key', free)
}
