import { NotCanonicalError } from '../errors/input-errors.ts'
import { memberPointer } from './json-pointer.ts'
/** Objects and arrays inside one another, the outermost counted. */
const maxJsonDepth = 256

/** UTF-16 units; keeps a small value that holds itself many times over from filling the memory. */
const maxJsonLength = 2 ** 27

/**
 * The one JSON text of a value (RFC 8785: keys by UTF-16 unit, no white space).
 *
 * Throws `NotCanonicalError` with the JSON Pointer of whatever JSON would lose or change: undefined, functions, symbols,
 * BigInt, NaN, infinities, −0, lone surrogates, instances of classes, accessors, properties that are not enumerable or
 * not named by text, sparse arrays, cycles, more than 256 levels. Each property is read once and nothing of the value is
 * run, except for the traps of a proxy.
 */
export function encodeCanonicalJson(value: unknown): string {
  const walk: Walk = { keys: [], ancestors: [] }
  try {
    return encodeValue(value, walk)
  } catch (error) {
    if (error instanceof NotCanonicalError) throw error
    throw new NotCanonicalError(pointer(walk), 'cannot be read', { cause: error })
  }
}

/** Where the encoder stands. */
interface Walk {
  readonly keys: PropertyKey[]
  readonly ancestors: object[]
}

function pointer(walk: Walk): string {
  return walk.keys.reduce(memberPointer, '')
}

function refuse(walk: Walk, problem: string): never {
  throw new NotCanonicalError(pointer(walk), problem)
}

function encodeValue(value: unknown, walk: Walk): string {
  switch (typeof value) {
    case 'string':
      return encodeString(value, walk)
    case 'number':
      if (!Number.isFinite(value)) refuse(walk, `is ${value}`)
      if (Object.is(value, -0)) refuse(walk, 'is −0')
      return String(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      return value === null ? 'null' : encodeContainer(value, walk)
    default:
      return refuse(walk, value === undefined ? 'is undefined' : `is a ${typeof value}`)
  }
}

const needsEscape = /["\\\u0000-\u001f]/

function encodeString(text: string, walk: Walk): string {
  if (!text.isWellFormed()) refuse(walk, 'has a lone surrogate')
  return needsEscape.test(text) ? JSON.stringify(text) : `"${text}"`
}

function encodeContainer(container: object, walk: Walk): string {
  if (walk.ancestors.includes(container)) refuse(walk, 'contains itself')
  if (walk.ancestors.length === maxJsonDepth) refuse(walk, `lies below ${maxJsonDepth} levels`)
  walk.ancestors.push(container)
  const json = Array.isArray(container) ? encodeArray(container, walk) : encodeObject(container, walk)
  if (json.length > maxJsonLength) refuse(walk, `has more than ${maxJsonLength} characters`)
  walk.ancestors.pop()
  return json
}

function encodeArray(array: unknown[], walk: Walk): string {
  if (Object.getPrototypeOf(array) !== Array.prototype) refuse(walk, 'is an instance of a class')
  const { length } = array
  let json = ''
  for (let index = 0; index < length; index++) json += (index === 0 ? '' : ',') + encodeMember(array, index, walk)
  const names = ownNames(array, walk)
  if (names.length > length + 1) {
    walk.keys.push(names.find((name, index) => name !== 'length' && name !== String(index)) ?? '')
    refuse(walk, 'is a property of an array')
  }
  return `[${json}]`
}

function encodeObject(object: object, walk: Walk): string {
  const prototype: unknown = Object.getPrototypeOf(object)
  if (prototype !== Object.prototype && prototype !== null) refuse(walk, 'is an instance of a class')
  const names = ownNames(object, walk)
  if (!isSorted(names)) names.sort()
  let json = ''
  for (const name of names) {
    const member = encodeMember(object, name, walk)
    json += `${json === '' ? '' : ','}${encodeString(name, walk)}:${member}`
  }
  return `{${json}}`
}

function ownNames(container: object, walk: Walk): string[] {
  if (Object.getOwnPropertySymbols(container).length > 0) refuse(walk, 'has a property that is named by a symbol')
  return Object.getOwnPropertyNames(container)
}

function isSorted(names: readonly string[]): boolean {
  for (let index = 1; index < names.length; index++) if (names[index - 1]! > names[index]!) return false
  return true
}

function encodeMember(container: object, key: string | number, walk: Walk): string {
  walk.keys.push(key)
  const property = Object.getOwnPropertyDescriptor(container, key)
  if (property === undefined) refuse(walk, 'is missing')
  if (!('value' in property)) refuse(walk, 'is an accessor')
  if (!property.enumerable) refuse(walk, 'is not enumerable')
  const json = encodeValue(property.value, walk)
  walk.keys.pop()
  return json
}
