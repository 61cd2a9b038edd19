import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { describe, test } from 'node:test'
import { asksFor } from '../../test/asking-backend.ts'
import { managerOver, openManager } from '../../test/open-manager.ts'
import { eventsOf } from '../../test/scripted-backend.ts'
import { storageKinds } from '../../test/storages.ts'

const day = 86_400_000

for (const { name, open } of storageKinds) {
  describe(`a session manager on ${name} that sweeps`, () => {
    test('removes at its start the logs whose time is over, and of those none that can be answered', async () => {
      const { storage, dispose } = open()
      const { manager, session, clock } = await openManager(storage, async function* (input) {
        if (input.text === 'ask') return yield* asksFor(['a'])(input)
        yield eventsOf(input.turnId).complete()
      })
      const runIds: string[] = []
      for (const text of ['old', 'ask', 'new']) {
        clock.now += day
        const { id } = text === 'new' ? await manager.createSession() : session
        const { runId, finished } = await manager.startTurn(id, { text })
        await finished
        runIds.push(runId)
      }
      await manager.close()
      const logs = (): Promise<boolean[]> =>
        Promise.all(runIds.map(async (runId) => (await storage.agentEvents.readHeader(runId)) !== undefined))

      const later = managerOver(storage, { now: () => clock.now + day - 1000, agentEventLog: {} })
      await setImmediate()
      await later.close()
      assert.deepEqual(await logs(), [true, true, true])

      const sweeping = managerOver(storage, {
        now: () => clock.now + day - 1000,
        agentEventLog: { sweepAtStart: true },
      })
      while ((await logs())[0] === true) await setImmediate()
      await sweeping.close()
      assert.deepEqual(await logs(), [false, true, true])
      await dispose()
    })
  })
}
