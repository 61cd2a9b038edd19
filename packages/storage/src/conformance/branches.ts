import assert from 'node:assert/strict'
import { append, idsOf, openRun, sessionRecord, terminalEvent, wholeRun } from './samples.ts'
import type { Behaviour } from './storage-under-test.ts'

const scope = { tenant: null }

function branch(id: string, parentSessionId: string, parentSessionSeq: number, tenant: string | null = null) {
  return sessionRecord(id, { parentSessionId, parentSessionSeq, tenant })
}

export function branchBehaviour(behaviour: Behaviour): void {
  behaviour('takes a branch at a position of its parent, and at no other', async ({ storage }) => {
    const { sessions } = storage
    await wholeRun(storage, idsOf('parent', 'i'))
    for (const seq of [0, 1, 3]) {
      assert.equal((await sessions.create(branch(`at ${seq}`, 'parent', seq))).parentSessionSeq, seq)
    }
    await sessions.create(branch('of a branch', 'at 3', 0))
    const outside = { code: 'INVALID_INPUT', field: 'parentSessionSeq' }
    await assert.rejects(sessions.create(branch('beyond', 'parent', 4)), outside)
    await assert.rejects(sessions.create(branch('beyond', 'at 3', 1)), outside)
    await assert.rejects(sessions.create(sessionRecord('half', { parentSessionId: 'parent' })), outside)
    await assert.rejects(sessions.create(sessionRecord('half', { parentSessionSeq: 0 })), outside)
    const { items } = await sessions.list({ scope, filter: { parentSessionId: 'parent' } })
    assert.deepEqual(items.map(({ id }) => id).sort(), ['at 0', 'at 1', 'at 3'])
    assert.equal((await storage.events.verifyStore()).ok, true)
  })

  behaviour('refuses a branch of a session that is not there, or not in its tenant', async ({ storage }) => {
    await storage.sessions.create(sessionRecord('theirs', { tenant: 'acme' }))
    for (const record of [branch('b', 'none', 0), branch('b', 'theirs', 0), branch('b', 'b', 0)]) {
      const sessionId = record.parentSessionId
      await assert.rejects(storage.sessions.create(record), { code: 'SESSION_NOT_FOUND', sessionId })
    }
    assert.equal(await storage.sessions.read('b', scope), undefined)
    await storage.sessions.create(branch('b', 'theirs', 0, 'acme'))
  })

  behaviour('keeps a session that has branches, unless they go with it', async ({ storage }) => {
    const { sessions } = storage
    for (const id of ['root', 'other']) await wholeRun(storage, idsOf(id, `of ${id}`))
    await sessions.create(branch('a', 'root', 3))
    await sessions.create(branch('b', 'root', 3))
    await sessions.create(branch('c', 'a', 0))
    await wholeRun(storage, idsOf('c', 'of c'))
    const refused = { code: 'SESSION_HAS_BRANCHES', sessionId: 'root', branches: 2 }
    await assert.rejects(sessions.remove('root', scope), refused)
    await assert.rejects(sessions.remove('root', scope, { branches: 'keep' as never }), { code: 'INVALID_INPUT' })
    assert.equal(await sessions.remove('b', scope), true)
    assert.equal(await sessions.remove('root', { tenant: 'acme' }, { branches: 'remove' }), false)
    assert.equal(await sessions.remove('root', scope, { branches: 'remove' }), true)
    const { items } = await sessions.list({ scope, filter: { archived: 'any' } })
    assert.deepEqual(
      items.map(({ id }) => id),
      ['other'],
    )
    assert.deepEqual(await storage.events.readSessionRuntimeEvents('c'), [])
    const report = await storage.events.verifyStore()
    assert.deepEqual([report.problems, report.sessions, report.events], [[], 1, 3])
  })

  behaviour('removes nothing while a branch anywhere below is busy', async ({ storage }) => {
    const { sessions } = storage
    await sessions.create(sessionRecord('root'))
    await sessions.create(branch('a', 'root', 0))
    await sessions.create(branch('b', 'a', 0))
    const ids = idsOf('b', 'i')
    await openRun(storage, ids)
    const busy = { code: 'SESSION_BUSY', sessionId: 'b', runId: ids.runId }
    await assert.rejects(sessions.remove('root', scope, { branches: 'remove' }), busy)
    assert.equal((await sessions.list({ scope })).items.length, 3)
    await append(storage, ids, [terminalEvent(ids)])
    assert.equal(await sessions.remove('root', scope, { branches: 'remove' }), true)
    assert.equal((await sessions.list({ scope })).items.length, 0)
  })

  behaviour('removes a chain of branches that is as long as one likes', async ({ storage }) => {
    const { sessions } = storage
    await sessions.create(sessionRecord('0'))
    await Promise.all(
      Array.from({ length: 2_000 }, (_, index) => sessions.create(branch(`${index + 1}`, `${index}`, 0))),
    )
    assert.equal(await sessions.remove('0', scope, { branches: 'remove' }), true)
    assert.deepEqual((await sessions.list({ scope })).items, [])
  })
}
