import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from './seeded-random.ts'

test('seededRandom gives the same numbers for the same seed', () => {
  const [one, two, other] = [seededRandom(1), seededRandom(1), seededRandom(2)]
  const numbers = Array.from({ length: 1000 }, one)
  assert.deepEqual(numbers, Array.from({ length: 1000 }, two))
  assert.notEqual(numbers[0], other())
  for (let tenth = 0; tenth < 10; tenth++) {
    const share = numbers.filter((number) => Math.floor(number * 10) === tenth).length
    assert.ok(share > 50 && share < 150, `${share} of 1000 begin with 0.${tenth}`)
  }
})
