import { describe, test } from 'node:test'
import fc from 'fast-check'
import { fakeClock } from '@daybook/testing'
import { checkStore } from './conversations/checks.ts'
import { conversation } from './conversations/commands.ts'
import { play } from './conversations/play.ts'
import { storageKinds } from './storages.ts'

/** Short ones, and fewer on a disk, in `npm test`; `.ci/campaigns/16-conversations.sh` asks for 2,000 long ones on both. */
const asked = process.env.DAYBOOK_CONVERSATIONS
const conversations: Readonly<Record<string, number>> = { memory: Number(asked ?? 100), sqlite: Number(asked ?? 25) }
const maxSteps = asked === undefined ? 5 : 16

describe('every conversation', () => {
  for (const { name, open } of storageKinds) {
    test(`on ${name} has one outcome for each call and one answer for each request, as strict providers take it`, async () => {
      const clock = fakeClock(1000)
      // A storage in memory is cheap to open, and one with thousands of sessions slow to look through.
      const isShared = name !== 'memory'
      const shared = isShared ? open(clock.now) : undefined
      await fc.assert(
        fc.asyncProperty(conversation(maxSteps), async (each) => {
          const { storage, dispose } = shared ?? open(clock.now)
          await play(storage, clock, each)
          if (isShared) return
          await checkStore(storage)
          await dispose()
        }),
        { numRuns: conversations[name]! },
      )
      if (shared !== undefined) await checkStore(shared.storage)
      await shared?.dispose()
    })
  }
})
