import { encodeBase64 } from './base64.ts'

/** More than fits in an event, so that no text is made of what follows. */
const maxBytes = 2 ** 24

/**
 * What stands for a built-in object that has no fields of its own to store, or for one that says so itself with
 * `toJSON`; undefined for every other object. `was` is a word of `makeStorable`. Not deep. Throws what the object throws.
 */
export function plainForm(value: object): PlainForm | undefined {
  const prototype: unknown = Object.getPrototypeOf(value)
  const isPlain = prototype === Object.prototype || prototype === Array.prototype || prototype === null
  return (isPlain ? undefined : builtInForm(value)) ?? formByItself(value)
}

interface PlainForm {
  readonly was: string
  readonly value: unknown
}

function builtInForm(value: object): PlainForm | undefined {
  if (value instanceof Date) return { was: 'date', value: isNaN(value.getTime()) ? String(value) : value.toISOString() }
  if (value instanceof RegExp) return { was: 'regexp', value: String(value) }
  if (value instanceof Error) return { was: 'error', value: errorFields(value) }
  // The methods of the prototypes end even where a subclass has others that do not.
  if (value instanceof Map) return { was: 'map', value: [...Map.prototype.entries.call(value)] }
  if (value instanceof Set) return { was: 'set', value: [...Set.prototype.values.call(value)] }
  if (value instanceof ArrayBuffer) return bytesForm(new Uint8Array(value))
  if (value instanceof DataView || value instanceof Uint8Array || value instanceof Uint8ClampedArray) {
    return bytesForm(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
  }
  if (ArrayBuffer.isView(value)) {
    return { was: 'typed_array', value: [...Uint8Array.prototype.values.call(value as Uint8Array)] }
  }
  return undefined
}

function formByItself(value: object): PlainForm | undefined {
  const toJson: unknown = 'toJSON' in value ? value.toJSON : undefined
  return typeof toJson === 'function' ? { was: 'to_json', value: toJson.call(value) } : undefined
}

function bytesForm(bytes: Uint8Array): PlainForm {
  return { was: 'bytes', value: encodeBase64(bytes.subarray(0, maxBytes)) }
}

function errorFields(error: Error): object {
  const own = ['cause', 'errors'].filter((name) => Object.hasOwn(error, name))
  return Object.fromEntries([
    ...['name', 'message', ...own].map((name) => [name, Reflect.get(error, name)]),
    ...Object.entries(error),
  ])
}
