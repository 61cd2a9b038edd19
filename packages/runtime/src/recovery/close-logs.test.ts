import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AgentEventStore } from '@daybook/core'
import { closing, endedRun } from '../../test/ended-run.ts'
import { assertWhole } from '../../test/ledger-facts.ts'
import { openManager } from '../../test/open-manager.ts'
import { aborted, eventsOf, type Script } from '../../test/scripted-backend.ts'
import { storageKinds } from '../../test/storages.ts'
import { closeLogs } from './close-logs.ts'

const speak: Script = async function* ({ turnId }) {
  yield eventsOf(turnId).complete()
}

async function unfinished(store: AgentEventStore): Promise<string[]> {
  const { items } = await store.listRuns({ finished: false, until: 1e15 })
  return items.map(({ runId }) => runId)
}

for (const { name, open } of storageKinds) {
  describe(`on ${name} the logs of runs that have ended`, () => {
    test('are ended on every page, and those of runs that go on are left', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, async function* ({ turnId, abortSignal }) {
        await aborted(abortSignal)
        yield eventsOf(turnId).abort()
      })
      const { runId, finished } = await manager.startTurn(session.id, { text: 'hi' })
      // The last by a clock that was ahead.
      for (const openedAt of [1, 1, 5000, 1e14]) await endedRun(storage, speak, { openedAt })
      const { agentEvents } = storage
      const oneByOne: AgentEventStore = {
        ...agentEvents,
        listRuns: (query) => agentEvents.listRuns({ ...query, limit: 1 }),
      }
      assert.deepEqual(await closeLogs(undefined, closing({ ...storage, agentEvents: oneByOne })), [])
      assert.deepEqual(await unfinished(agentEvents), [runId])
      await manager.stopSession(session.id)
      await finished
      await manager.close()
      await assertWhole(storage, ['log_incomplete'])
      await dispose()
    })

    test('do not keep each other back where one cannot be ended', async () => {
      const { storage, dispose } = open()
      const [first, , last] = [
        await endedRun(storage, speak),
        await endedRun(storage, speak),
        await endedRun(storage, speak),
      ]
      const { agentEvents } = storage
      const error = new Error('unreadable')
      const failing: AgentEventStore = {
        ...agentEvents,
        async readHeader(runId) {
          if (runId === first.runId || runId === last.runId) throw error
          return agentEvents.readHeader(runId)
        },
      }
      const failed = await closeLogs(undefined, closing({ ...storage, agentEvents: failing }))
      const byRun = (one: { runId: string }, other: { runId: string }): number => (one.runId < other.runId ? -1 : 1)
      const expected = [first, last].map(({ sessionId, runId }) => ({ sessionId, runId, error }))
      assert.deepEqual(failed.toSorted(byRun), expected.toSorted(byRun))
      assert.deepEqual((await unfinished(agentEvents)).toSorted(), [first.runId, last.runId].toSorted())
      assert.deepEqual(await closeLogs(undefined, closing(storage)), [])
      await assertWhole(storage, ['log_incomplete'])
      await dispose()
    })

    test('are left once the signal is aborted', async () => {
      const { storage, dispose } = open()
      const { runId } = await endedRun(storage, speak)
      assert.deepEqual(await closeLogs(AbortSignal.abort(), closing(storage)), [])
      assert.deepEqual(await unfinished(storage.agentEvents), [runId])
      await dispose()
    })
  })
}
