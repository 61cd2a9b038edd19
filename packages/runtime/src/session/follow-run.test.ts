import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type AgentEventStore, LedgerDamagedError } from '@daybook/core'
import { finished, header, started } from '../../test/agent-event-samples.ts'
import { approve, asksFor, openRequests } from '../../test/asking-backend.ts'
import { withFaultyAppends, withFaultyRows } from '../../test/faulty-events.ts'
import { assertWhole, endingOf, factsOf } from '../../test/ledger-facts.ts'
import { managerOver, openManager } from '../../test/open-manager.ts'
import { aborted, eventsOf, type Script } from '../../test/scripted-backend.ts'
import { storageKinds } from '../../test/storages.ts'
import { takeAll } from '../../test/take.ts'
import { quiet } from '../../test/until.ts'
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
      await dispose()
    })

    test('ends though the end of the log was lost, and nobody else reads it or recovers', async () => {
      const { storage, dispose } = open()
      const error = new LedgerDamagedError(null, 'a log', 'cannot be written')
      let isIll = false
      const ill = withFaultyAppends(
        withFaultyRows(storage, () => (isIll ? { error } : undefined)),
        () => (isIll ? { error, ofRows: true } : undefined),
      )
      const { manager, session, timers } = await openManager(ill, async function* ({ turnId }) {
        const say = eventsOf(turnId)
        yield say.text('hello')
        isIll = true
        yield say.complete()
      })
      const { runId, finished } = await manager.startTurn(session.id, { text: 'hi' })
      const follow = await manager.follow(runId)
      const rows = takeAll(follow)
      assert.equal((await finished).state, 'completed')
      isIll = false
      await quiet()
      assert.equal((await storage.agentEvents.readHeader(runId))?.finishedAt, undefined)
      timers.advance(30_000)
      assert.equal((await rows).at(-1)?.event.type, 'RUN_FINISHED')
      assert.equal((await follow.ended).end, 'terminal')
      await manager.close()
      await assertWhole(storage, ['log_incomplete'])
      await dispose()
    })

    test('cannot be where the log was refused, and the turn goes on without it', async () => {
      const { storage, dispose } = open()
      let ids = 0
      const script: Script = async function* ({ turnId }) {
        const say = eventsOf(turnId)
        yield say.text('hello')
        yield say.complete()
      }
      const { manager, session, warnings } = await openManager(storage, script, { newId: () => `id-${++ids}` })
      // Whichever of the next ids is the run's, its log has ended.
      for (let next = ids + 1; next <= ids + 10; next++) {
        const runId = `id-${next}`
        await storage.agentEvents.writeHeader(header(runId))
        await storage.agentEvents.append(runId, { seq: 1, event: { ...started, runId } })
        await storage.agentEvents.append(runId, { seq: 2, event: { ...finished, runId }, finishedAt: 1 })
      }
      const turn = await manager.startTurn(session.id, { text: 'hi' })
      assert.equal((await turn.finished).state, 'completed')
      assert.deepEqual(warnings, [`run "${turn.runId}" begins without its delivery log`])
      assert.equal(await storage.agentEvents.maxSeq(turn.runId), 2)
      await manager.close()
      await assertWhole(storage, ['log_without_run'])
      await dispose()
    })

    test('cannot be where the log of the run before is damaged, and the turn goes on', async () => {
      const { storage, dispose } = open()
      const damaged: AgentEventStore = {
        ...storage.agentEvents,
        async readHeader() {
          throw new LedgerDamagedError(null, 'a log', 'is no log')
        },
      }
      const { manager, session, warnings } = await openManager({ ...storage, agentEvents: damaged }, asksFor(['a']))
      await (
        await manager.startTurn(session.id, { text: 'hi' })
      ).finished
      const answers = (await openRequests(manager, session.id)).map((one) => approve(one))
      const { turn } = await manager.answerRequests(session.id, { answers })
      assert.equal((await turn?.finished)?.state, 'completed')
      assert.deepEqual(warnings, [`run "${turn?.runId}" begins without its delivery log`])
      await manager.close()
      await assertWhole(storage)
      await dispose()
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
      await dispose()
    })
  })
}
