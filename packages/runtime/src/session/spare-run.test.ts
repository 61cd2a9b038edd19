import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { approve, asksFor, openRequests } from '../../test/asking-backend.ts'
import { openManager } from '../../test/open-manager.ts'
import { aborted, eventsOf } from '../../test/scripted-backend.ts'
import { storageKinds } from '../../test/storages.ts'
import { isSparedRun } from './spare-run.ts'

for (const { name, open } of storageKinds) {
  describe(`on ${name} the log of a run`, () => {
    test('is kept while the run goes on, and no longer', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, async function* ({ turnId, abortSignal }) {
        await aborted(abortSignal)
        yield eventsOf(turnId).abort()
      })
      const { runId, finished } = await manager.startTurn(session.id, { text: 'hi' })
      assert.equal(await isSparedRun(runId, storage.runs, storage.events), true)
      await manager.stopSession(session.id)
      await finished
      assert.equal(await isSparedRun(runId, storage.runs, storage.events), false)
      assert.equal(await isSparedRun('unknown', storage.runs, storage.events), false)
      await manager.close()
      await dispose()
    })

    test('is kept while a request of it can be answered', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, asksFor(['a', 'b']))
      const { runId, finished } = await manager.startTurn(session.id, { text: 'hi' })
      assert.equal((await finished).state, 'waiting')
      const spared: boolean[] = []
      for (const request of await openRequests(manager, session.id)) {
        spared.push(await isSparedRun(runId, storage.runs, storage.events))
        const { turn } = await manager.answerRequests(session.id, { answers: [approve(request)] })
        await turn?.finished
      }
      assert.deepEqual(spared, [true, true])
      assert.equal(await isSparedRun(runId, storage.runs, storage.events), false)
      await manager.close()
      await dispose()
    })
  })
}
