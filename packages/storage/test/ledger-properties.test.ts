import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { history, openedAtOnce, type Step } from './history.ts'
import { properties } from './properties.ts'
import { type Observation, runHistory } from './run-history.ts'
import { memoryWorld, sqliteWorld, type World } from './worlds.ts'

/** Few in `npm test`; `.ci/campaigns/15-histories.sh` asks for a thousand on each driver. */
const histories = (few: number): number => Number(process.env.DAYBOOK_HISTORIES ?? few)
const drivers = [
  ['memory', memoryWorld, histories(300)],
  ['sqlite', sqliteWorld, histories(150)],
] as const

for (const [name, openWorld, count] of drivers) {
  describe(`every history on ${name}`, () => {
    // All properties see the same histories, each of which happens once.
    const seed = Date.now()
    const seen = new Map<string, Promise<Observation>>()
    let world: World
    before(() => (world = openWorld()))
    after(() => world.dispose())

    function observe(steps: readonly Step[]): Promise<Observation> {
      const key = JSON.stringify(steps)
      const observed = seen.get(key) ?? runHistory(world, seen.size, steps)
      seen.set(key, observed)
      return observed
    }

    for (const { title, check } of properties) {
      test(title, () =>
        fc.assert(
          fc.asyncProperty(history, async (steps) => check(await observe(steps))),
          { numRuns: count, seed, examples: [[openedAtOnce]] },
        ),
      )
    }
  })
}
