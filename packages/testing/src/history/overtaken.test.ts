import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { overtaken } from './overtaken.ts'

const anyTime = fc.nat(20)
const anyItem = fc
  .tuple(anyTime, anyTime, fc.nat(5))
  .map(([one, other, rank]) => ({ startedAt: Math.min(one, other), endedAt: Math.max(one, other), rank }))

test('overtaken finds what comparing each with each finds', () => {
  fc.assert(
    fc.property(fc.array(anyItem), (items) => {
      const found = [...overtaken(items, ({ rank }) => rank)]
      for (const [earlier, later] of found) {
        assert.ok(earlier.endedAt < later.startedAt && earlier.rank > later.rank)
      }
      const expected = items.filter((later) =>
        items.some((earlier) => earlier.endedAt < later.startedAt && earlier.rank > later.rank),
      )
      assert.deepEqual(new Set(found.map(([, later]) => later)), new Set(expected))
    }),
  )
})
