import assert from 'node:assert/strict'
import type { SessionChanges } from '@daybook/core'
import { sessionRecord, wholeRun, idsOf } from './samples.ts'
import type { Behaviour } from './storage-under-test.ts'

const scope = { tenant: null }

export function revisionBehaviour(behaviour: Behaviour): void {
  behaviour('changes what an update names, and records it with its time and its author', async ({ storage, clock }) => {
    const { sessions } = storage
    const created = sessionRecord('s', { title: 'first', model: 'one', labels: ['a'] })
    clock.holdAt(10)
    await sessions.create(created)
    clock.holdAt(5)
    const changes: SessionChanges = {
      title: 'second',
      model: null,
      cwd: '/x',
      llmConnectionSlug: 'c',
      permissionMode: 'deny',
      permissionRules: [{ tool: 'read', mode: 'bypass' }],
      settings: { deep: [{ b: 1, a: 2 }] },
      labels: ['b', 'c'],
    }
    const updated = await sessions.update({ sessionId: 's', scope, changes, by: 'me' })
    assert.deepEqual(updated, { ...created, ...changes, revision: 2 })
    assert.deepEqual(await sessions.read('s', scope), updated)
    clock.holdAt(7)
    const archived = await sessions.update({ sessionId: 's', scope, changes: { archived: true } })
    assert.deepEqual(archived, { ...updated, revision: 3, archivedAt: 7 })
    assert.deepEqual((await sessions.listRevisions('s', scope)).items, [
      { revision: 1, changedAt: 10, by: null, session: created },
      { revision: 2, changedAt: 5, by: 'me', session: updated },
      { revision: 3, changedAt: 7, by: null, session: archived },
    ])
    assert.equal((await storage.events.verifyStore()).ok, true)
  })

  behaviour('lets one of several updates of a revision through', async ({ storage }) => {
    const { sessions } = storage
    await sessions.create(sessionRecord('s'))
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c'].map((title) =>
        sessions.update({ sessionId: 's', scope, changes: { title }, expectedRevision: 1 }),
      ),
    )
    assert.deepEqual(
      outcomes.map((one) => (one.status === 'fulfilled' ? one.value.title : one.reason.code)),
      ['a', 'REVISION_CONFLICT', 'REVISION_CONFLICT'],
    )
    assert.equal((await sessions.read('s', scope))?.revision, 2)
    await assert.rejects(sessions.update({ sessionId: 's', scope, changes: { title: 'd' }, expectedRevision: 3 }), {
      code: 'REVISION_CONFLICT',
      expectedRevision: 3,
      revision: 2,
    })
  })

  behaviour('pages through revisions', async ({ storage }) => {
    const { sessions } = storage
    await sessions.create(sessionRecord('s'))
    for (let index = 2; index <= 5; index += 1) {
      await sessions.update({ sessionId: 's', scope, changes: { title: `at ${index}` } })
    }
    const page = await sessions.listRevisions('s', scope, { limit: 2, after: 1 })
    assert.deepEqual([page.items.map(({ revision }) => revision), page.next], [[2, 3], 3])
    const last = await sessions.listRevisions('s', scope, { after: 3 })
    assert.deepEqual([last.items.map(({ session }) => session.title), last.next], [['at 4', 'at 5'], null])
  })

  behaviour(
    'refuses what names nothing, is no change, or is of another tenant, and does nothing',
    async ({ storage }) => {
      const { sessions } = storage
      await sessions.create(sessionRecord('s'))
      const input = { code: 'INVALID_INPUT' }
      for (const changes of [{}, { id: 't' }, { labels: ['a', 'a'] }, { archived: 1 }, null] as SessionChanges[]) {
        await assert.rejects(sessions.update({ sessionId: 's', scope, changes }), input, JSON.stringify(changes))
      }
      await assert.rejects(sessions.create(sessionRecord('t', { revision: 2 })), { ...input, field: 'revision' })
      const change = { sessionId: 's', changes: { title: 'x' } }
      await assert.rejects(sessions.update({ ...change, scope: undefined as never }), { ...input, field: 'scope' })
      await assert.rejects(sessions.update(undefined as never), { ...input, field: 'scope' })
      await assert.rejects(sessions.listRevisions('s', undefined as never), { ...input, field: 'scope' })
      const notFound = { code: 'SESSION_NOT_FOUND' }
      await assert.rejects(sessions.update({ ...change, scope: { tenant: 'acme' } }), notFound)
      await assert.rejects(sessions.update({ ...change, sessionId: 'none', scope }), notFound)
      await assert.rejects(sessions.listRevisions('s', { tenant: 'acme' }), notFound)
      assert.equal((await sessions.listRevisions('s', scope)).items.length, 1)
    },
  )

  behaviour('forgets the revisions of a session with it', async ({ storage }) => {
    const { sessions } = storage
    await wholeRun(storage, idsOf('s', 'i'))
    await sessions.update({ sessionId: 's', scope, changes: { title: 'x' } })
    await sessions.remove('s', scope)
    await sessions.create(sessionRecord('s', { title: 'anew' }))
    const { items } = await sessions.listRevisions('s', scope)
    assert.deepEqual(
      items.map(({ session }) => session.title),
      ['anew'],
    )
    assert.equal((await storage.events.verifyStore()).ok, true)
  })

  behaviour('lists by what is archived, by label and by parent, and by all of them', async ({ storage }) => {
    const { sessions } = storage
    const parents = [null, 'parent']
    await sessions.create(sessionRecord('parent', { createdAt: 0, labels: ['none'] }))
    const records = parents.flatMap((parentSessionId) =>
      [[], ['x'], ['y', 'x'], ['y']].flatMap((labels, index) =>
        [null, 3].map((archivedAt) =>
          sessionRecord(`${parentSessionId} ${labels.join('')} ${archivedAt}`, {
            parentSessionId,
            parentSessionSeq: parentSessionId === null ? null : 0,
            labels,
            archivedAt,
            createdAt: index + 1,
          }),
        ),
      ),
    )
    for (const record of records) await sessions.create(record)
    for (const archived of [undefined, false, true, 'any'] as const) {
      for (const label of [undefined, 'x', 'y', 'none', 'unused']) {
        for (const parentSessionId of [undefined, 'parent', 'nobody']) {
          const filter = {
            ...(archived !== undefined && { archived }),
            ...(label !== undefined && { label }),
            ...(parentSessionId !== undefined && { parentSessionId }),
          }
          const expected = [sessionRecord('parent', { createdAt: 0, labels: ['none'] }), ...records].filter(
            (record) =>
              (archived === 'any' || (record.archivedAt !== null) === (archived ?? false)) &&
              (label === undefined || record.labels.includes(label)) &&
              (parentSessionId === undefined || record.parentSessionId === parentSessionId),
          )
          const { items } = await sessions.list({ scope, filter })
          assert.deepEqual(
            items.map(({ id }) => id).sort(),
            expected.map(({ id }) => id).sort(),
            JSON.stringify(filter),
          )
          assert.deepEqual(
            items.map(({ createdAt }) => createdAt),
            items.map(({ createdAt }) => createdAt).toSorted((a, b) => b - a),
          )
        }
      }
    }
    const moved = { archived: true, labels: ['new'] }
    await sessions.update({ sessionId: 'null x null', scope, changes: moved })
    const ids = async (filter: object) => (await sessions.list({ scope, filter })).items.map(({ id }) => id)
    assert.deepEqual(await ids({ label: 'new', archived: true }), ['null x null'])
    assert.ok(!(await ids({ label: 'x', archived: 'any' })).includes('null x null'))
    assert.ok(!(await ids({})).includes('null x null'))
    for (const filter of [{ archived: 'yes' }, { label: '' }, { parentSessionId: '' }, { title: 'x' }, null]) {
      await assert.rejects(sessions.list({ scope, filter: filter as never }), { code: 'INVALID_INPUT' })
    }
  })
}
