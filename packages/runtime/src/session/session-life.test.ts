import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertWhole } from '../../test/ledger-facts.ts'
import { openManager } from '../../test/open-manager.ts'
import { eventsOf, type Script } from '../../test/scripted-backend.ts'
import { storageKinds } from '../../test/storages.ts'
import { takeAll } from '../../test/take.ts'

const echo: Script = async function* ({ turnId, text }) {
  const say = eventsOf(turnId)
  yield say.text(`re: ${text}`)
  yield say.complete()
}

for (const { name, open } of storageKinds) {
  describe(`a session on ${name}`, () => {
    test('is changed with a revision, which the next opening names with what it ran with', async () => {
      const { storage, dispose } = open()
      const { manager, session, backend } = await openManager(storage, echo)
      await takeAll(manager.sendMessage(session.id, { text: 'first' }))
      const permissionRules = [{ tool: 'write*', mode: 'deny' }] as const
      const changed = await manager.updateSession(session.id, {
        changes: { permissionMode: 'ask', permissionRules, settings: { depth: 2 }, model: 'm2' },
        expectedRevision: 1,
        by: 'ann',
      })
      assert.deepEqual([changed.revision, changed.permissionMode], [2, 'ask'])
      await assert.rejects(manager.updateSession(session.id, { changes: { title: 'x' }, expectedRevision: 1 }), {
        code: 'REVISION_CONFLICT',
        revision: 2,
      })
      await assert.rejects(manager.updateSession(session.id, { changes: { title: 'x' } }, { tenant: 'other' }), {
        code: 'SESSION_NOT_FOUND',
      })
      await takeAll(manager.sendMessage(session.id, { text: 'second' }))
      const [first, second] = (await manager.listInvocations(session.id)).map(({ opening }) => opening)
      assert.deepEqual(first?.configuration, { cwd: '/somewhere', permissionMode: 'bypass', revision: 1 })
      assert.deepEqual(second?.configuration, {
        cwd: '/somewhere',
        permissionMode: 'ask',
        permissionRules,
        revision: 2,
        settings: { depth: 2 },
      })
      assert.equal(second?.route.model, 'm2')
      // The backend of the first turn was built for other settings.
      assert.deepEqual(
        backend.calls.map((call) => call.split(' ')[0]),
        ['send', 'dispose', 'send'],
      )
      const revisions = await manager.listSessionRevisions(session.id)
      assert.deepEqual(
        revisions.items.map(({ revision, by, session: { permissionMode } }) => [revision, by, permissionMode]),
        [
          [1, null, 'bypass'],
          [2, 'ann', 'ask'],
        ],
      )
      await assertWhole(storage)
      await dispose()
    })

    test('is listed by filter, and found by its title and by what was said', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, echo)
      const named = await manager.createSession({ title: 'The purple cow', labels: ['zoo'] })
      await takeAll(manager.sendMessage(session.id, { text: 'where is my umbrella?' }))
      const ids = async (filter: object) => (await manager.listSessions({ filter })).items.map(({ id }) => id)
      assert.deepEqual(await ids({ label: 'zoo' }), [named.id])
      await manager.updateSession(named.id, { changes: { archived: true } })
      assert.deepEqual([await ids({}), await ids({ archived: true })], [[session.id], [named.id]])
      const found = await manager.searchSessions({ text: 'umbrel' })
      assert.deepEqual(
        found.items.map((hit) => [hit.session.id, hit.said?.role]),
        [
          [session.id, 'model'],
          [session.id, 'user'],
        ],
      )
      assert.equal((await manager.searchSessions({ text: 'cow purple' })).items[0]?.session.id, named.id)
      assert.deepEqual((await manager.searchSessions({ text: 'umbrella' }, { tenant: 'other' })).items, [])
      await dispose()
    })
  })
}
