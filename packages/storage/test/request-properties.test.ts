import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { requestHistory } from './request-history.ts'
import { runRequestHistory } from './run-request-history.ts'
import { memoryWorld, sqliteWorld, type World } from './worlds.ts'

/** `.ci/campaigns/15-histories.sh` asks for a thousand on each driver. */
const drivers = [
  ['memory', memoryWorld, Number(process.env.DAYBOOK_HISTORIES ?? 200)],
  ['sqlite', sqliteWorld, Number(process.env.DAYBOOK_HISTORIES ?? 60)],
] as const

for (const [name, openWorld, histories] of drivers) {
  describe(`requests on ${name}`, () => {
    let world: World
    before(() => (world = openWorld()))
    after(() => world.dispose())

    test('the index is the rebuild after each step of every history', () => {
      let number = 0
      return fc.assert(
        fc.asyncProperty(requestHistory, async (steps) => runRequestHistory(world, (number += 1), steps)),
        { numRuns: histories },
      )
    })
  })
}
