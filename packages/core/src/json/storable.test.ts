import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { hostileValue } from '../../test/hostile-value.ts'
import { encodeCanonicalJson } from './canonical-json.ts'
import type { JsonValue } from './json-value.ts'
import { makeStorable } from './storable.ts'

const cycle: Record<string, unknown> = { a: 1 }
cycle.self = [cycle]
const revoked = Proxy.revocable({}, {})
revoked.revoke()

/** A proxy that holds two such proxies and a text. */
function endless(): object {
  return new Proxy(
    {},
    {
      ownKeys: () => ['a', 'b', 'c'],
      getOwnPropertyDescriptor: (_, key) => ({
        value: key === 'a' ? 'x'.repeat(2 ** 15) : endless(),
        enumerable: true,
        configurable: true,
      }),
    },
  )
}
const throwing = (): never => {
  throw new Error('hostile')
}
class Point {
  x = 1
  #hidden = 2
  get sum() {
    return this.x + this.#hidden
  }
}

const changes: [name: string, value: unknown, stored: JsonValue, changes: [path: string, was: string][]][] = [
  ['undefined', undefined, null, [['', 'undefined']]],
  [
    'undefined in an object and an array',
    { a: undefined, b: [undefined] },
    { b: [null] },
    [
      ['/a', 'undefined'],
      ['/b/0', 'undefined'],
    ],
  ],
  // oxlint-disable-next-line no-sparse-arrays
  ['a hole', [1, , 3], [1, null, 3], [['/1', 'hole']]],
  ['−0', { a: -0 }, { a: 0 }, [['/a', 'negative_zero']]],
  [
    'numbers that are not finite',
    [NaN, Infinity, -Infinity],
    ['NaN', 'Infinity', '-Infinity'],
    [
      ['/0', 'not_finite'],
      ['/1', 'not_finite'],
      ['/2', 'not_finite'],
    ],
  ],
  ['a lone surrogate', { 'a/b': 'x\ud800y' }, { 'a/b': 'x\ufffdy' }, [['/a~1b', 'lone_surrogate']]],
  [
    'keys that become equal',
    { '\ud800': 1, '\ud801': 2, '\ufffd': 3 },
    { '\ufffd': 1, '\ufffd\ufffd1': 2, '\ufffd\ufffd2': 3 },
    [
      ['/\ufffd', 'lone_surrogate'],
      ['/\ufffd', 'lone_surrogate'],
      ['/\ufffd', 'same_key'],
      ['/\ufffd', 'same_key'],
    ],
  ],
  ['BigInt', [12345678901234567890n], ['12345678901234567890'], [['/0', 'bigint']]],
  ['a symbol', [Symbol('s')], ['Symbol(s)'], [['/0', 'symbol']]],
  ['a function', { f() {} }, { f: '[function]' }, [['/f', 'function']]],
  [
    'dates',
    [new Date(0), new Date(NaN)],
    ['1970-01-01T00:00:00.000Z', 'Invalid Date'],
    [
      ['/0', 'date'],
      ['/1', 'date'],
    ],
  ],
  ['a regular expression', /a+/gi, '/a+/gi', [['', 'regexp']]],
  [
    'an error',
    Object.assign(new TypeError('m', { cause: 1n }), { code: 'E' }),
    { name: 'TypeError', message: 'm', cause: '1', code: 'E' },
    [
      ['', 'error'],
      ['/cause', 'bigint'],
    ],
  ],
  [
    'an aggregate error',
    new AggregateError([new Error('a')], 'm'),
    { name: 'AggregateError', message: 'm', errors: [{ name: 'Error', message: 'a' }] },
    [
      ['', 'error'],
      ['/errors/0', 'error'],
    ],
  ],
  [
    'a map and a set',
    [new Map<unknown, unknown>([['k', { a: 1n }]]), new Set([1])],
    [[['k', { a: '1' }]], [1]],
    [
      ['/0', 'map'],
      ['/0/0/1/a', 'bigint'],
      ['/1', 'set'],
    ],
  ],
  [
    'bytes',
    [Buffer.from('hello'), new Uint8Array([255]).buffer, new DataView(new ArrayBuffer(1))],
    ['aGVsbG8=', '/w==', 'AA=='],
    [
      ['/0', 'bytes'],
      ['/1', 'bytes'],
      ['/2', 'bytes'],
    ],
  ],
  [
    'typed arrays',
    [new Float64Array([1.5, NaN]), new BigInt64Array([-1n])],
    [[1.5, 'NaN'], ['-1']],
    [
      ['/0', 'typed_array'],
      ['/0/1', 'not_finite'],
      ['/1', 'typed_array'],
      ['/1/0', 'bigint'],
    ],
  ],
  ['a URL', { at: new URL('http://example.com/a') }, { at: 'http://example.com/a' }, [['/at', 'to_json']]],
  [
    'an array of a subclass, and what a match says beside its groups',
    [new (class extends Array {})(), 'ab'.match(/b/)],
    [[], ['b']],
    [
      ['/0', 'instance'],
      ['/1', 'named_item'],
    ],
  ],
  ['an instance', new Point(), { x: 1 }, [['', 'instance']]],
  [
    'accessors',
    {
      get a() {
        return 1n
      },
      set b(_: unknown) {},
    },
    { a: '1' },
    [
      ['/a', 'accessor'],
      ['/a', 'bigint'],
      ['/b', 'accessor'],
      ['/b', 'undefined'],
    ],
  ],
  ['a field named by a symbol', { a: 1, [Symbol('s')]: 2 }, { a: 1 }, [['', 'symbol_key']]],
  [
    'a field that is not enumerable',
    Object.defineProperty({ a: 1 }, 'b', { value: 2 }),
    { a: 1 },
    [['/b', 'not_enumerable']],
  ],
  ['a cycle', cycle, { a: 1, self: ['[cycle]'] }, [['/self/0', 'cycle']]],
  [
    'a getter that throws',
    {
      a: 1,
      get b() {
        return throwing()
      },
      c: 2,
    },
    { a: 1, b: '[unreadable]', c: 2 },
    [['/b', 'unreadable']],
  ],
  [
    'a proxy that throws',
    { a: { b: new Proxy({}, { ownKeys: throwing }) }, c: 1 },
    { a: { b: '[unreadable]' }, c: 1 },
    [['/a/b', 'unreadable']],
  ],
  ['a revoked proxy', [revoked.proxy, 1], ['[unreadable]', 1], [['/0', 'unreadable']]],
  ['a toJSON that throws', { toJSON: throwing }, '[unreadable]', [['', 'unreadable']]],
]

describe('makeStorable', () => {
  for (const [name, value, stored, expected] of changes) {
    test(`stores ${name} and says so`, () => {
      const result = makeStorable(value)
      assert.deepStrictEqual(result.value, stored)
      assert.deepStrictEqual(
        result.changes,
        expected.map(([path, was]) => ({ path, was })),
      )
    })
  }

  test('changes nothing in JSON, and shares nothing with it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (drawn) => {
        const value = JSON.parse(JSON.stringify(drawn)) as JsonValue
        const { value: stored, changes } = makeStorable(value)
        assert.deepStrictEqual(stored, value)
        assert.deepStrictEqual(changes, [])
        if (typeof value === 'object' && value !== null) assert.notEqual(stored, value)
      }),
    )
  })

  test('renames many keys that become equal in little time', () => {
    const surrogates = Array.from({ length: 300 }, (_, index) => String.fromCharCode(0xd800 + index))
    const keys = surrogates.flatMap((first) => surrogates.map((second) => `${first}${second}`))
    const { value } = makeStorable(Object.fromEntries(keys.map((key) => [key, 1])))
    assert.equal(Object.keys(value as object).length, keys.length)
  })

  test('keeps a field named __proto__ a field', () => {
    const { value } = makeStorable(
      JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
    )
    assert.equal(encodeCanonicalJson(value), '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')
    assert.equal(Object.getPrototypeOf(value), Object.prototype)
    assert.equal(Reflect.get({}, 'polluted'), undefined)
  })

  test('cuts off what lies below 200 levels', () => {
    let deep: unknown = 1
    for (let level = 0; level < 10_000; level++) deep = { d: deep }
    const { value, changes } = makeStorable(deep)
    assert.deepEqual(changes, [{ path: '/d'.repeat(200), was: 'too_deep' }])
    assert.match(encodeCanonicalJson(value), /"\[too deep\]"/)
  })

  test('notes 100 changes and how many more there were', () => {
    const { changes } = makeStorable(Array(150).fill(1n))
    assert.equal(changes.length, 101)
    assert.deepEqual(changes.slice(99), [
      { path: '/99', was: 'bigint' },
      { path: '', was: '50 more' },
    ])
  })

  test('cuts a long path off without splitting a character', () => {
    const [change] = makeStorable({ ['x'.repeat(998) + '\u{1f600}']: 1n }).changes
    assert.equal(change?.path, `/${'x'.repeat(998)}\ufffd`)
  })

  const tooMuch: [name: string, value: unknown][] = [
    ['a long text', 'x'.repeat(2 ** 25)],
    ['many characters that need escapes', Array(2 ** 18).fill('\0'.repeat(128))],
    ['a long sparse array', Object.assign([], { length: 2 ** 32 - 1 })],
    ['an object without an end', endless()],
    ['many bytes', new Uint8Array(2 ** 25)],
  ]
  for (const [name, value] of tooMuch) {
    test(`cuts ${name} off, still larger than any event`, () => {
      const { value: stored, changes } = makeStorable(value)
      assert.ok(changes.some(({ was }) => was === 'too_large' || was.endsWith('more')))
      assert.ok(encodeCanonicalJson(stored).length > 2 ** 20)
    })
  }

  test('gives what encodeCanonicalJson takes, whatever it is given', () => {
    fc.assert(
      fc.property(hostileValue, (make) => {
        const { value: stored, changes } = makeStorable(make())
        const json = encodeCanonicalJson(stored)
        assert.equal(encodeCanonicalJson(JSON.parse(json)), json)
        encodeCanonicalJson(changes)
        assert.ok(changes.length <= 101)
        const again = makeStorable(stored)
        assert.deepEqual(again.changes, [])
      }),
      { numRuns: 1000 },
    )
  })
})
