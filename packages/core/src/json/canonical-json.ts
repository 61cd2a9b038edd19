import { NotCanonicalError } from '../errors/input-errors.ts'
import { memberPointer } from './json-pointer.ts'
import type { JsonObject, JsonValue } from './json-value.ts'
import { setOwn } from './set-own.ts'

/** Objects and arrays inside one another, the outermost counted. */
const maxDepth = 256

/** Keeps a small value that holds itself many times over from filling the memory; an event has room for half as many. */
const maxValues = 2 ** 20

/**
 * The one JSON text of a value (RFC 8785: keys by UTF-16 unit, no white space).
 *
 * Throws `NotCanonicalError` with the JSON Pointer of whatever JSON would lose or change: undefined, functions, symbols,
 * BigInt, NaN, infinities, −0, lone surrogates, instances of classes, accessors, properties that are not enumerable or
 * not named by text, sparse arrays, cycles, more than 256 levels. Each property is read once and nothing of the value is
 * run, except for the traps of a proxy.
 */
export function encodeCanonicalJson(value: unknown): string {
  return canonicalCopy(value).json
}

/** The JSON text as `encodeCanonicalJson` gives it, with what it says: a plain value that shares nothing with the given one. */
export function canonicalCopy(value: unknown): { readonly json: string; readonly copy: JsonValue } {
  const walk: Walk = { ancestors: [], values: 0, isInOrder: true }
  try {
    const copy = copyValue(value, walk)
    return { json: walk.isInOrder ? JSON.stringify(copy) : sortedJson(copy), copy }
  } catch (error) {
    const refusal = asRefusal(error)
    const path = refusal.keys.reduceRight(memberPointer, '')
    throw new NotCanonicalError(path, refusal.message, 'cause' in refusal ? { cause: refusal.cause } : undefined)
  }
}

interface Walk {
  readonly ancestors: object[]
  values: number
  /** False once an object has keys that JavaScript keeps in an order of its own: integers stand first, by their value. */
  isInOrder: boolean
}

/** On its way out it collects the keys that lead to the part at fault, innermost first. */
class Refusal extends Error {
  readonly keys: (string | number)[] = []
}

function asRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal('cannot be read', { cause: error })
}

function copyValue(value: unknown, walk: Walk): JsonValue {
  if (++walk.values > maxValues) throw new Refusal(`is one of more than ${maxValues} values`)
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) throw new Refusal('has a lone surrogate')
      return value
    case 'number':
      if (!Number.isFinite(value)) throw new Refusal(`is ${value}`)
      if (Object.is(value, -0)) throw new Refusal('is −0')
      return value
    case 'boolean':
      return value
    case 'object':
      return value === null ? value : copyContainer(value, walk)
    default:
      throw new Refusal(value === undefined ? 'is undefined' : `is a ${typeof value}`)
  }
}

function copyContainer(container: object, walk: Walk): JsonValue {
  if (walk.ancestors.includes(container)) throw new Refusal('contains itself')
  if (walk.ancestors.length === maxDepth) throw new Refusal(`lies below ${maxDepth} levels`)
  walk.ancestors.push(container)
  const copy = Array.isArray(container) ? copyArray(container, walk) : copyObject(container, walk)
  walk.ancestors.pop()
  return copy
}

function copyArray(array: unknown[], walk: Walk): JsonValue {
  if (Object.getPrototypeOf(array) !== Array.prototype) throw new Refusal('is an instance of a class')
  const { length } = array
  const copy: JsonValue[] = []
  for (let index = 0; index < length; index++) copy.push(copyMember(array, index, walk))
  if (ownNames(array).length > length + 1) throw new Refusal('is an array with a property that has a name')
  return copy
}

function copyObject(object: object, walk: Walk): JsonValue {
  const prototype: unknown = Object.getPrototypeOf(object)
  if (prototype !== Object.prototype && prototype !== null) throw new Refusal('is an instance of a class')
  const names = ownNames(object)
  const isOrdered = isSorted(names)
  if (!isOrdered) names.sort()
  const copy: Record<string, JsonValue> = {}
  for (const name of names) {
    if (!name.isWellFormed()) throw new Refusal('has a key with a lone surrogate')
    setOwn(copy, name, copyMember(object, name, walk))
  }
  if (!isOrdered && !isSorted(Object.keys(copy))) walk.isInOrder = false
  return copy
}

function ownNames(container: object): string[] {
  if (Object.getOwnPropertySymbols(container).length > 0) throw new Refusal('has a property that is named by a symbol')
  return Object.getOwnPropertyNames(container)
}

function isSorted(names: readonly string[]): boolean {
  for (let index = 1; index < names.length; index++) if (names[index - 1]! > names[index]!) return false
  return true
}

function copyMember(container: object, key: string | number, walk: Walk): JsonValue {
  try {
    const property = Object.getOwnPropertyDescriptor(container, key)
    if (property === undefined) throw new Refusal('is missing')
    if (!('value' in property)) throw new Refusal('is an accessor')
    if (!property.enumerable) throw new Refusal('is not enumerable')
    return copyValue(property.value, walk)
  } catch (error) {
    const refusal = asRefusal(error)
    refusal.keys.push(key)
    throw refusal
  }
}

function sortedJson(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(sortedJson).join()}]`
  const object = value as JsonObject
  const names = Object.keys(object).toSorted()
  return `{${names.map((name) => `${JSON.stringify(name)}:${sortedJson(object[name]!)}`).join()}}`
}
