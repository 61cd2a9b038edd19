import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { upcast, type Upcast } from './upcast.ts'

describe('upcast', () => {
  const steps: Upcast[] = [
    ({ a, ...event }) => ({ ...event, b: a ?? null, v: 2 }),
    ({ b, ...event }) => ({ ...event, c: b ?? null, v: 3 }),
  ]

  test('takes an event through every version after its own', () => {
    assert.deepEqual(upcast({ a: 1 }, steps), { c: 1, v: 3 })
    assert.deepEqual(upcast({ b: 1, v: 2 }, steps), { c: 1, v: 3 })
  })

  test('leaves an event of the newest version, or a newer one, as it is', () => {
    for (const v of [3, 4, 99]) assert.deepEqual(upcast({ c: 1, v }, steps), { c: 1, v })
    assert.deepEqual(upcast({ a: 1 }), { a: 1 })
  })
})
