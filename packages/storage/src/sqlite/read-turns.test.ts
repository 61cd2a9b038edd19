import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ReadTurns } from './read-turns.ts'

test('reads that are asked for at once leave room for other work of the event loop', async () => {
  const turns = new ReadTurns()
  const order: string[] = []
  const read = async (name: string) => {
    while (turns.isSpent()) await nextTurn()
    order.push(name)
    const until = performance.now() + 10
    while (performance.now() < until);
  }
  const reads = ['a', 'b', 'c'].map(read)
  setImmediate(() => order.push('other work'))
  await Promise.all(reads)
  assert.deepEqual(order, ['a', 'b', 'other work', 'c'])
})

test('short reads wait for nothing', () => {
  const turns = new ReadTurns()
  for (let index = 0; index < 10; index += 1) assert.equal(turns.isSpent(), false)
})
