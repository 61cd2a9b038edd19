import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { assertWhole } from './ledger-facts.ts'
import { openManager } from './open-manager.ts'
import { eventsOf, type Script } from './scripted-backend.ts'
import { storageKinds } from './storages.ts'
import { takeAll } from './take.ts'
import { quiet } from './until.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const endings: readonly Script[] = [
  async function* ({ turnId }) {
    const say = eventsOf(turnId)
    yield say.delta('hel')
    yield say.text('hello')
    yield say.complete()
  },
  async function* ({ turnId }) {
    yield eventsOf(turnId).call('c1')
    throw new Error('socket closed')
  },
  async function* ({ turnId }) {
    yield eventsOf(turnId).text('bye')
  },
]

for (const { name, open } of storageKinds) {
  describe(`240 turns of 40 sessions on ${name}`, () => {
    test('leave no turn, timer or handle behind, and no more idle backends than are allowed', async () => {
      const { storage, dispose } = open()
      const signals: WeakRef<AbortSignal>[] = []
      let turns = 0
      const script: Script = (input) => {
        signals.push(new WeakRef(input.abortSignal))
        return endings[turns % endings.length]!(input)
      }
      const { manager, backend, timers } = await openManager(storage, script, { maxIdleBackends: 10 })
      const sessions: string[] = []
      for (let count = 0; count < 40; count++) sessions.push((await manager.createSession({})).id)
      const resources = process.getActiveResourcesInfo().length

      for (let round = 0; round < 6; round++) {
        for (const sessionId of sessions) {
          turns++
          const message = { text: `message ${round}` }
          if (turns % 4 === 0) await (await manager.startTurn(sessionId, message)).finished
          else if (turns % 7 === 0) for await (const _event of manager.sendMessage(sessionId, message)) break
          else await takeAll(manager.sendMessage(sessionId, message))
        }
      }
      await quiet()
      assert.equal(turns, 240)
      assert.deepEqual(timers.waiting, [])
      assert.ok(process.getActiveResourcesInfo().length <= resources)
      // Every session has its turn again only after 39 others, so each turn builds a backend anew.
      assert.equal(backend.calls.filter((call) => call === 'dispose').length, turns - 10)
      backend.inputs.length = 0
      collectGarbage()
      const kept = signals.filter((signal) => signal.deref() !== undefined).length
      assert.ok(kept <= 10, `${kept} turns are kept`)

      await manager.close()
      await assertWhole(storage)
      dispose()
    })
  })
}
