import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { NotCanonicalError } from '../errors/input-errors.ts'
import { canonicalCopy, encodeCanonicalJson } from './canonical-json.ts'

function nested(depth: number): unknown {
  let value: unknown = 0
  for (let level = 0; level < depth; level++) value = [value]
  return value
}

function refusal(value: unknown): NotCanonicalError {
  try {
    encodeCanonicalJson(value)
  } catch (error) {
    assert.ok(error instanceof NotCanonicalError, `refuses with ${String(error)}`)
    return error
  }
  return assert.fail('it was encoded')
}

describe('encodeCanonicalJson', () => {
  const texts: [name: string, value: unknown, json: string][] = [
    [
      'sorts keys by UTF-16 unit',
      { '\ufb33': 1, '\u{1f600}': 2, b: 3, a: 4, 10: 5, 9: 6 },
      '{"10":5,"9":6,"a":4,"b":3,"\u{1f600}":2,"\ufb33":1}',
    ],
    [
      'keeps NUL and escapes control characters',
      '\0\b\t\n\f\r\u001f"\\/\u007f\u2028',
      '"\\u0000\\b\\t\\n\\f\\r\\u001f\\"\\\\/\u007f\u2028"',
    ],
    ['keeps an own field named __proto__', JSON.parse('{"b":1,"__proto__":{"x":2}}'), '{"__proto__":{"x":2},"b":1}'],
    [
      'writes numbers as ECMAScript does',
      [1e21, 1e-7, 5e-324, 123456789012345680000, 0.1, -1.5],
      '[1e+21,1e-7,5e-324,123456789012345680000,0.1,-1.5]',
    ],
    [
      'writes empty containers',
      { a: [], o: {}, n: null, t: true, f: false, '': '' },
      '{"":"","a":[],"f":false,"n":null,"o":{},"t":true}',
    ],
    ['takes an object without a prototype', Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
    ['keeps a field named toJSON that is not a method', { toJSON: 1 }, '{"toJSON":1}'],
    ['writes a value that occurs twice', ((shared) => [shared, shared])({ a: 1 }), '[{"a":1},{"a":1}]'],
    ['takes 256 levels', nested(256), `${'['.repeat(256)}0${']'.repeat(256)}`],
  ]
  for (const [name, value, json] of texts) test(name, () => assert.equal(encodeCanonicalJson(value), json))

  const cycle: Record<string, unknown> = { a: [] }
  ;(cycle.a as unknown[]).push(cycle)
  const thrower = new Proxy({}, { ownKeys: () => assert.fail('trap') })
  const revoked = Proxy.revocable({}, {})
  revoked.revoke()

  const refusals: [name: string, value: unknown, path: string, problem: RegExp][] = [
    ['undefined', undefined, '', /is undefined/],
    ['an undefined field', { a: { b: undefined } }, '/a/b', /is undefined/],
    ['a function', { f() {} }, '/f', /is a function/],
    ['a symbol', [Symbol('s')], '/0', /is a symbol/],
    ['BigInt', { a: [1n] }, '/a/0', /is a bigint/],
    ['NaN', [NaN], '/0', /is NaN/],
    ['Infinity', { a: -Infinity }, '/a', /is -Infinity/],
    ['−0', { a: -0 }, '/a', /is −0/],
    ['a lone surrogate', { 'a/b~c': 'x\ud800' }, '/a~1b~0c', /has a lone surrogate/],
    ['a lone surrogate in a key', { a: { '\udc00': 1 } }, '/a', /has a key with a lone surrogate/],
    ['a Date', { at: new Date(0) }, '/at', /is an instance of a class/],
    ['a Map', new Map(), '', /is an instance of a class/],
    ['a boxed number', [Object(1)], '/0', /is an instance of a class/],
    ['an array of a subclass', { a: new (class extends Array {})() }, '/a', /is an instance of a class/],
    ['an instance', { a: new (class {})() }, '/a', /is an instance of a class/],
    ['an object that inherits fields', Object.create({ a: 1 }), '', /is an instance of a class/],
    ['a method toJSON', { a: { toJSON: () => 1 } }, '/a/toJSON', /is a function/],
    [
      'an accessor',
      { a: Object.defineProperty({}, 'x', { enumerable: true, get: () => assert.fail('run') }) },
      '/a/x',
      /is an accessor/,
    ],
    ['a property that is not enumerable', Object.defineProperty({}, 'x', { value: 1 }), '/x', /is not enumerable/],
    ['a property that is named by a symbol', { a: { [Symbol('s')]: 1 } }, '/a', /named by a symbol/],
    // oxlint-disable-next-line no-sparse-arrays
    ['a sparse array', { a: [1, , 3] }, '/a/1', /is missing/],
    ['a long sparse array', Object.assign([], { length: 2 ** 32 - 1 }), '/0', /is missing/],
    ['an array with a named property', { a: Object.assign([1], { x: 1 }) }, '/a', /property that has a name/],
    ['an accessor in an array', Object.defineProperty([1], 0, { get: () => 1 }), '/0', /is an accessor/],
    ['a cycle', cycle, '/a/0', /contains itself/],
    ['257 levels', nested(257), '/0'.repeat(256), /lies below 256 levels/],
    ['10,000 levels', nested(10_000), '/0'.repeat(256), /lies below 256 levels/],
    ['a proxy that throws', { a: thrower }, '/a', /cannot be read/],
    ['a revoked proxy', [revoked.proxy], '/0', /cannot be read/],
  ]
  for (const [name, value, path, problem] of refusals) {
    test(`refuses ${name} and names its path`, () => {
      const error = refusal(value)
      assert.equal(error.path, path)
      assert.match(error.message, problem)
    })
  }

  test('refuses a value that holds itself too many times over', () => {
    let value: unknown = 0
    for (let level = 0; level < 40; level++) value = [value, value]
    assert.match(refusal(value).message, /more than 1048576 values/)
  })

  test('agrees with canonicalize on every JSON value, and gives a copy that equals it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (drawn) => {
        const value = JSON.parse(JSON.stringify(drawn)) as unknown
        const { json, copy } = canonicalCopy(value)
        assert.equal(json, canonicalize(value))
        assert.deepEqual(copy, value)
        assert.equal(encodeCanonicalJson(JSON.parse(json)), json)
      }),
      { numRuns: 1000 },
    )
  })

  test('reads each property once', () => {
    const reads = new Map<PropertyKey, number>()
    const counted = new Proxy(
      { a: 1, b: 2 },
      {
        getOwnPropertyDescriptor(target, key) {
          reads.set(key, (reads.get(key) ?? 0) + 1)
          return Reflect.getOwnPropertyDescriptor(target, key)
        },
        get: () => assert.fail('read past its descriptor'),
      },
    )
    assert.equal(encodeCanonicalJson(counted), '{"a":1,"b":2}')
    assert.deepEqual(
      [...reads],
      [
        ['a', 1],
        ['b', 1],
      ],
    )
  })
})
