import fc from 'fast-check'

const throwing = (): never => {
  throw new Error('hostile')
}
const cycle: unknown[] = []
cycle.push({ cycle })

function endlessJson(): object {
  return { toJSON: endlessJson }
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

class Point {
  x = 1
  get y(): number {
    return throwing()
  }
}

const hostile: (() => unknown)[] = [
  revoked,
  endlessJson,
  () => cycle,
  () => new Point(),
  () => globalThis,
  () => new WeakMap(),
  () => Object(1n),
  () => -0,
  () => throwing,
  () => Symbol('\ud800'),
  () => new URL('http://example.com/'),
  () => ({ toJSON: throwing }),
  () => ({ toJSON: () => undefined }),
  () => new Error('e', { cause: cycle }),
  () => Object.defineProperty(new Error('e'), 'name', { get: throwing }),
  () => Object.defineProperty({}, 'x', { get: throwing, enumerable: true }),
  () => new Proxy([], { get: throwing }),
  () => new Proxy({}, { get: () => endlessJson }),
  () => new Proxy({}, { getOwnPropertyDescriptor: throwing, ownKeys: () => ['a'] }),
  () => Object.create(Date.prototype),
  () => Object.create(Map.prototype),
  () => Object.defineProperty(new Map(), Symbol.iterator, { value: throwing }),
  () => Object.defineProperty(new Uint8Array(4), 'byteLength', { get: throwing }),
]

const anything = fc.anything({
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
})
const key = fc.oneof(
  fc.constantFrom('__proto__', 'toJSON', 'length'),
  fc.string({ unit: fc.constantFrom('\ud800', '\udc00', 'a', '/') }),
)

type Make = () => unknown

/** Makes values that a careless or hostile producer may yield. They are made late because fast-check reads what it draws. */
export const hostileValue: fc.Arbitrary<Make> = fc.letrec<{ value: Make }>((tie) => ({
  value: fc.oneof(
    fc.constantFrom(...hostile),
    anything.map((value) => () => value),
    fc.array(tie('value'), { maxLength: 4 }).map((makes) => () => makes.map((make) => make())),
    fc
      .array(fc.tuple(key, tie('value')), { maxLength: 4 })
      .map((entries) => () => Object.fromEntries(entries.map(([name, make]) => [name, make()]))),
  ),
})).value
