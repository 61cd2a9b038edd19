import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answerAsTold, playTurns } from '../every-kind-of-turn.ts'
import { assertWhole } from '../ledger-facts.ts'
import { openManager } from '../open-manager.ts'
import { storageKinds } from '../storages.ts'
import { quiet } from '../until.ts'
import { whatIsHeld } from '../what-is-held.ts'

const sessionCount = 40
const maxIdleBackends = 10

for (const { name, open } of storageKinds) {
  describe(`160 turns of ${sessionCount} sessions on ${name}`, () => {
    test('leave no turn, timer, handle or entry behind, and no more idle backends than are allowed', async () => {
      const { storage, dispose } = open()
      const { manager, backend, timers } = await openManager(storage, answerAsTold, { maxIdleBackends })
      const sessionIds: string[] = []
      while (sessionIds.length < sessionCount) sessionIds.push((await manager.createSession()).id)

      async function heldAfter(turns: number) {
        await playTurns(manager, sessionIds, turns)
        await quiet()
        // Every session has its turn again only after all others, so each turn built a backend anew.
        assert.equal(backend.calls.filter((call) => call === 'dispose').length, backend.inputs.length - kept)
        kept = 0
        backend.calls.length = 0
        backend.inputs.length = 0
        return whatIsHeld()
      }
      let kept = maxIdleBackends

      const first = await heldAfter(sessionCount)
      const { turns, entries, descriptors, resources } = await heldAfter(160)
      assert.deepEqual([turns, timers.waiting], [0, []])
      // The ledger itself is in maps of this storage.
      if (name !== 'memory') assert.ok(entries <= first.entries, `${entries} entries`)
      assert.equal(descriptors, first.descriptors)
      assert.ok(resources.length <= first.resources.length)

      await manager.close()
      await assertWhole(storage)
      await dispose()
    })
  })
}
