/**
 * 10,000 turns in one process leave nothing behind: the heap has grown by less than 20 MB, no map holds an entry more than
 * after the first turns, no timer or file is left. Ends with exit code 1 where that is not so.
 */
import assert from 'node:assert/strict'
import { startSystemTimer } from '../src/timing/timer.ts'
import { answerAsTold, playTurns } from './every-kind-of-turn.ts'
import { assertWhole } from './ledger-facts.ts'
import { openManager } from './open-manager.ts'
import { openFolder, temporaryFolder } from './storages.ts'
import { quiet } from './until.ts'
import { type Held, whatIsHeld } from './what-is-held.ts'

const turns = 10_000
const sessionCount = 960
/** Sessions that are answered at the same time. */
const lanes = 8
const maxHeapGrowth = 20_000_000

const folder = temporaryFolder()
console.log('the ledger is in', folder.path)
const atFirst = await look('nothing is open')
const { storage, dispose } = openFolder(folder.path, { durability: 'normal' })
const { manager, backend } = await openManager(storage, answerAsTold, { startTimer: startSystemTimer })
const sessionIds: string[] = []
while (sessionIds.length < sessionCount) sessionIds.push((await manager.createSession()).id)

// Every session is used once before it counts, so that what is kept by session is there.
await play(sessionCount)
const before = await look(`after ${sessionCount} turns`)
await play(turns)
const after = await look(`after ${turns} more`)
await assertWhole(storage)
await manager.close()
await dispose()
folder.remove()
const closed = await look('all is closed')

const growth = after.heapBytes - before.heapBytes
console.log(`the heap has grown by ${growth} bytes`)
assert.ok(growth < maxHeapGrowth)
assert.deepEqual({ ...after, heapBytes: 0 }, { ...before, heapBytes: 0 })
for (const { turns, timers } of [after, closed]) assert.deepEqual([turns, timers], [0, 0])
assert.deepEqual([closed.resources, closed.descriptors], [atFirst.resources, atFirst.descriptors])

async function play(count: number): Promise<void> {
  const each = sessionCount / lanes
  const slices = Array.from({ length: lanes }, (_, lane) => sessionIds.slice(lane * each, (lane + 1) * each))
  await Promise.all(slices.map((slice) => playTurns(manager, slice, count / lanes)))
  // The test keeps what its backend was given.
  backend.calls.length = 0
  backend.inputs.length = 0
}

async function look(when: string): Promise<Held> {
  await quiet()
  const held = whatIsHeld()
  console.log(when, JSON.stringify(held))
  return held
}
