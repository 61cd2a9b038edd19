import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertWhole, endingOf, factsOf } from '../../test/ledger-facts.ts'
import { managerOver, openManager } from '../../test/open-manager.ts'
import { aborted, eventsOf } from '../../test/scripted-backend.ts'
import { storageKinds } from '../../test/storages.ts'
import { takeAll } from '../../test/take.ts'
import { world } from '../../test/world.ts'

for (const { name, open } of storageKinds) {
  describe(`follow on ${name}`, () => {
    test('shows a turn to its end, and refuses a run of another scope', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, async function* ({ turnId }) {
        const say = eventsOf(turnId)
        yield say.delta('hel')
        yield say.text('hello')
        yield say.complete()
      })
      const { runId } = await manager.startTurn(session.id, { text: 'hi' })
      await assert.rejects(manager.follow(runId, {}, { tenant: 'other' }), { code: 'RUN_NOT_FOUND' })
      const follow = await manager.follow(runId)
      const rows = await takeAll(follow)
      assert.equal((await follow.ended).end, 'terminal')
      assert.deepEqual([rows[0]?.event.type, rows.at(-1)?.event.type], ['RUN_STARTED', 'RUN_FINISHED'])
      await manager.close()
      await assertWhole(storage)
      dispose()
    })

    test('ends where another process recovers the run, and what was shown is in the ledger', async () => {
      const { storage, dispose } = open()
      const first = await openManager(
        storage,
        async function* ({ turnId, abortSignal }) {
          const say = eventsOf(turnId)
          yield say.delta('I see')
          await aborted(abortSignal)
        },
        { processTable: world('1') },
      )
      const sent = first.manager.sendMessage(first.session.id, { text: 'hi' })
      await sent.next()
      first.timers.advance(100)
      const second = managerOver(storage, { processTable: world('2') })
      const { items } = await storage.runs.listUnfinishedRuns()
      const { runId } = items[0]!.run
      while ((await storage.agentEvents.maxSeq(runId)) < 3) await new Promise((resolve) => setImmediate(resolve))
      const follow = await second.follow(runId)
      const rows = takeAll(follow)
      await new Promise((resolve) => setImmediate(resolve))
      assert.equal((await second.recover()).closed, 1)
      const shown = (await rows).map(({ event }) => (typeof event.delta === 'string' ? event.delta : '')).join('')
      assert.equal((await follow.ended).end, 'terminal')
      const kept = (await factsOf(storage, first.session.id)).filter((word) => word.startsWith('text:'))
      assert.deepEqual([shown, kept], ['I see', ['text:I see:interrupted']])
      assert.equal((await endingOf(storage, first.session.id))?.failureCode, 'app_restarted')
      await assertWhole(storage)
      dispose()
    })
  })
}
