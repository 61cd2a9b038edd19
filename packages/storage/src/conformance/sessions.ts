import assert from 'node:assert/strict'
import type { SessionCursor, SessionRecord, SessionScope, SessionStore } from '@daybook/core'
import { append, idsOf, lookalikeIds, openRun, sessionRecord, terminalEvent, wholeRun } from './samples.ts'
import type { Behaviour } from './storage-under-test.ts'

const nobody = { tenant: null }

export function sessionBehaviour(behaviour: Behaviour): void {
  behaviour('returns and reads what was created, field by field', async ({ storage }) => {
    await storage.sessions.create(sessionRecord('parent', { tenant: 'acme' }))
    const record = sessionRecord('s', {
      tenant: 'acme',
      subject: 'person',
      externalId: 'their id',
      title: 'Title',
      cwd: '/somewhere',
      llmConnectionSlug: 'connection',
      model: 'model',
      permissionMode: 'bypass',
      permissionRules: [{ tool: 'write*', mode: 'deny' }],
      settings: { nested: [{ ['__proto__']: 1 }, 'x\u0000y', 1e21] },
      labels: ['b', 'a'],
      parentSessionId: 'parent',
      parentSessionSeq: 0,
      createdAt: -5,
      archivedAt: 9,
    })
    assert.deepEqual(await storage.sessions.create(record), record)
    assert.deepEqual(await storage.sessions.read('s', { tenant: 'acme' }), record)
  })

  behaviour('keeps copies: changing what went in or came out changes nothing', async ({ storage }) => {
    const given = sessionRecord('s', { settings: { list: [1] }, labels: ['one'] })
    const expected = structuredClone(given)
    const created = await storage.sessions.create(given)
    for (const record of [given, created, (await storage.sessions.read('s', nobody))!]) {
      ;(record.labels as string[]).push('two')
      ;(record.settings['list'] as number[]).push(2)
    }
    assert.deepEqual(await storage.sessions.read('s', nobody), expected)
  })

  behaviour('refuses an id that is taken, in any tenant', async ({ storage }) => {
    await storage.sessions.create(sessionRecord('s', { title: 'first' }))
    await assert.rejects(storage.sessions.create(sessionRecord('s', { tenant: 'acme' })), {
      code: 'SESSION_EXISTS',
      field: 'id',
      value: 's',
    })
    assert.equal((await storage.sessions.read('s', nobody))?.title, 'first')
  })

  behaviour('refuses an external id that is taken in its tenant, and no other', async ({ storage }) => {
    for (const tenant of [null, 'acme', 'other']) {
      await storage.sessions.create(sessionRecord(`first of ${tenant}`, { tenant, externalId: 'x' }))
      await assert.rejects(storage.sessions.create(sessionRecord(`second of ${tenant}`, { tenant, externalId: 'x' })), {
        code: 'SESSION_EXISTS',
        field: 'externalId',
        value: 'x',
      })
    }
  })

  behaviour(
    'refuses ids that are empty, too long, ill-formed or hold NUL, and names the field',
    async ({ storage }) => {
      for (const bad of ['', 'x'.repeat(201), 'é'.repeat(101), '\ud800', 'a\u0000']) {
        for (const field of ['id', 'tenant', 'subject', 'externalId'] as const) {
          const record = sessionRecord('s', { [field]: bad })
          await assert.rejects(
            storage.sessions.create(record),
            { code: 'INVALID_ID', field },
            JSON.stringify([field, bad]),
          )
        }
      }
      assert.deepEqual((await storage.sessions.list({ scope: nobody })).items, [])
      const longest = sessionRecord('é'.repeat(100))
      assert.deepEqual(await storage.sessions.create(longest), longest)
    },
  )

  behaviour('refuses settings that have no lossless JSON', async ({ storage }) => {
    const settings = { deep: [new Date(0)] } as unknown as SessionRecord['settings']
    await assert.rejects(storage.sessions.create(sessionRecord('s', { settings })), { code: 'NOT_CANONICAL' })
    assert.equal(await storage.sessions.read('s', nobody), undefined)
  })

  behaviour('tells apart ids that differ by case, by normal form or beyond the BMP', async ({ storage }) => {
    const ids = lookalikeIds.flat()
    for (const id of ids) await storage.sessions.create(sessionRecord(id, { title: id, externalId: id }))
    for (const id of ids) assert.equal((await storage.sessions.read(id, nobody))?.title, id)
  })

  behaviour('shows a tenant nothing of another, and null only those without one', async ({ storage }) => {
    const tenants = [null, 'acme', 'Acme']
    for (const tenant of tenants) await storage.sessions.create(sessionRecord(`of ${tenant}`, { tenant }))
    for (const tenant of tenants) {
      const { items } = await storage.sessions.list({ scope: { tenant } })
      assert.deepEqual(
        items.map((session) => session.id),
        [`of ${tenant}`],
      )
      for (const other of tenants.filter((each) => each !== tenant)) {
        assert.equal(await storage.sessions.read(`of ${other}`, { tenant }), undefined)
        assert.equal(await storage.sessions.remove(`of ${other}`, { tenant }), false)
      }
      assert.equal((await storage.sessions.read(`of ${tenant}`, { tenant }))?.tenant, tenant)
    }
  })

  behaviour(
    'refuses calls without a scope, or with one that nobody can have, and does nothing',
    async ({ storage }) => {
      const { sessions } = storage
      await sessions.create(sessionRecord('s'))
      await assert.rejects(sessions.list(undefined as never), { code: 'INVALID_INPUT', field: 'scope' })
      const refused = { scope: [undefined, null, 'acme', []], 'scope.tenant': [{}, { tenant: '' }, { tenant: 5 }] }
      for (const [field, scopes] of Object.entries(refused)) {
        for (const scope of scopes as SessionScope[]) {
          const error = { code: 'INVALID_INPUT', field }
          await assert.rejects(sessions.list({ scope }), error)
          await assert.rejects(sessions.read('s', scope), error)
          await assert.rejects(sessions.remove('s', scope), error)
        }
      }
      assert.equal((await sessions.read('s', nobody))?.id, 's')
    },
  )

  behaviour('lists newest first, equal times by id in code point order', async ({ storage }) => {
    const ids = lookalikeIds.flat()
    for (const id of ids) await storage.sessions.create(sessionRecord(id, { createdAt: 5 }))
    await storage.sessions.create(sessionRecord('newest', { createdAt: 6 }))
    await storage.sessions.create(sessionRecord('oldest', { createdAt: -6 }))
    const listed = (await storage.sessions.list({ scope: nobody })).items.map((session) => session.id)
    assert.deepEqual([listed[0], listed.at(-1)], ['newest', 'oldest'])
    for (const [lower, higher] of lookalikeIds) {
      assert.ok(listed.indexOf(higher) < listed.indexOf(lower), JSON.stringify([lower, higher]))
    }
  })

  behaviour('pages without a row twice or missed while others are created', async ({ storage }) => {
    const before = Array.from({ length: 7 }, (_, index) => `old ${index}`)
    for (const [index, id] of before.entries()) {
      await storage.sessions.create(sessionRecord(id, { createdAt: index >> 1 }))
    }
    const seen = await allPages(storage.sessions, 2, async (page) => {
      await storage.sessions.create(sessionRecord(`new ${page}`, { createdAt: 100 }))
    })
    assert.deepEqual(seen, before.toReversed())
  })

  behaviour('gives 100 sessions unless told, at most 1000', async ({ storage }) => {
    for (let index = 0; index < 101; index += 1) await storage.sessions.create(sessionRecord(`s${index}`))
    assert.equal((await storage.sessions.list({ scope: nobody })).items.length, 100)
    const { items, next } = await storage.sessions.list({ scope: nobody, limit: 1000 })
    assert.deepEqual([items.length, next], [101, null])
    for (const limit of [0, -1, 1.5, 1001, Number.NaN]) {
      await assert.rejects(storage.sessions.list({ scope: nobody, limit }), { code: 'INVALID_INPUT', field: 'limit' })
    }
  })

  behaviour('refuses a cursor that no page returned', async ({ storage }) => {
    for (const after of [{ createdAt: 0.5, id: 's' }, { createdAt: 1 }, { id: 's' }, 'first']) {
      await assert.rejects(
        storage.sessions.list({ scope: nobody, after: after as SessionCursor }),
        (error: { family?: string; field?: string }) =>
          error.family === 'input' && error.field?.startsWith('after') === true,
        JSON.stringify(after),
      )
    }
  })

  behaviour('removes a session with everything of it and nothing of others', async ({ storage }) => {
    const [mine, other] = [idsOf('mine', 'i'), idsOf('other', 'j')]
    await wholeRun(storage, mine)
    await wholeRun(storage, other)
    assert.equal(await storage.sessions.remove('mine', nobody), true)
    assert.equal(await storage.sessions.remove('mine', nobody), false)
    assert.equal(await storage.sessions.read('mine', nobody), undefined)
    assert.equal(await storage.runs.readRun(mine.runId), undefined)
    assert.deepEqual((await storage.events.readRunRuntimeEvents(mine.runId)).items, [])
    assert.deepEqual(await storage.events.readSessionRuntimeEvents('mine'), [])
    assert.deepEqual(await storage.events.listSessionInvocations('mine'), [])
    assert.equal((await storage.events.readSessionRuntimeEvents('other')).length, 3)
    const report = await storage.events.verifyStore()
    assert.deepEqual([report.ok, report.sessions, report.events], [true, 1, 3])
    await wholeRun(storage, mine)
    assert.equal((await storage.events.readSessionRuntimeEvents('mine'))[0]?.sessionSeq, 1)
  })

  behaviour('keeps a session that has an unfinished run', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids, { exclusive: false })
    await assert.rejects(storage.sessions.remove('s', nobody), {
      code: 'SESSION_BUSY',
      sessionId: 's',
      runId: ids.runId,
    })
    assert.equal((await storage.events.readSessionRuntimeEvents('s')).length, 1)
    await append(storage, ids, [terminalEvent(ids)])
    assert.equal(await storage.sessions.remove('s', nobody), true)
  })

  behaviour(
    'finds what was created after it is opened again',
    async ({ storage, reopen }) => {
      const record = sessionRecord('s', { labels: ['kept'] })
      await storage.sessions.create(record)
      assert.deepEqual(await (await reopen()).sessions.read('s', nobody), record)
    },
    'reopen',
  )
}

async function allPages(
  sessions: SessionStore,
  limit: number,
  between: (page: number) => Promise<void>,
): Promise<string[]> {
  const seen: string[] = []
  let cursor: SessionCursor | null = null
  for (let page = 1; ; page += 1) {
    const { items, next } = await sessions.list({ scope: nobody, limit, ...(cursor !== null && { after: cursor }) })
    assert.ok(items.length <= limit)
    seen.push(...items.map((session) => session.id))
    if (next === null) return seen
    cursor = next
    await between(page)
  }
}
