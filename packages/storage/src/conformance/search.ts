import assert from 'node:assert/strict'
import type { SearchHit, SessionStore } from '@daybook/core'
import type { RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { append, foreignRow, idsOf, openedEvent, openRun, sessionRecord, terminalEvent, textEvent } from './samples.ts'
import type { RunIds } from './samples.ts'
import type { Behaviour } from './storage-under-test.ts'

const scope = { tenant: null }

function userText(ids: RunIds, id: string, text: string): RuntimeEvent {
  return { ...textEvent(ids, id, text), role: 'user', author: 'user' }
}

/** What was found, as `session: excerpt`. */
async function found(sessions: SessionStore, text: string, tenant: string | null = null): Promise<string[]> {
  const { items } = await sessions.search({ scope: { tenant }, text, limit: 100 })
  return items.map(({ session, excerpt }) => `${session.id}: ${excerpt}`)
}

export function searchBehaviour(behaviour: Behaviour): void {
  behaviour('finds titles first, then what users and models said, newest first', async ({ storage }) => {
    const { sessions } = storage
    const [a, b] = [idsOf('a', 'i', 'turn'), idsOf('b', 'j')]
    await sessions.create(sessionRecord('a', { title: 'About Whales', createdAt: 9 }))
    await sessions.create(sessionRecord('b', { title: 'whales again', createdAt: 3 }))
    await openRun(storage, a, { events: [openedEvent(a), userText(a, 'asked', 'Are whales fish?')] })
    await openRun(storage, b)
    await append(storage, b, [textEvent(b, 'said', 'No whales here')])
    await append(storage, a, [textEvent(a, 'said', 'A whale is no fish; WHALES are mammals')])
    const session = (id: string) => sessions.read(id, scope)
    const said = (eventSeq: number, role: 'user' | 'model', ids = a) => {
      return { turnId: ids.turnId, invocationId: ids.invocationId, eventSeq, role }
    }
    const expected: readonly Partial<SearchHit>[] = [
      { session: (await session('b'))!, said: null, excerpt: 'whales again' },
      { session: (await session('a'))!, said: null, excerpt: 'About Whales' },
      { session: (await session('a'))!, said: said(3, 'model'), excerpt: 'A whale is no fish; WHALES are mammals' },
      { session: (await session('b'))!, said: said(2, 'model', b), excerpt: 'No whales here' },
      { session: (await session('a'))!, said: said(2, 'user'), excerpt: 'Are whales fish?' },
    ]
    const { items, next } = await sessions.search({ scope, text: 'whales' })
    assert.deepEqual(items, expected)
    assert.equal(next, null)
  })

  behaviour(
    'wants every word, the last as a beginning, whatever the case, the accents and the order',
    async ({ storage }) => {
      const { sessions } = storage
      for (const title of ['Crème brûlée, 2 portions', 'Straßenkarte von Athen: ΟΔΟΣ', '東京の地図']) {
        await sessions.create(sessionRecord(title, { title }))
      }
      const titles = async (text: string) =>
        (await sessions.search({ scope, text })).items.map(({ excerpt }) => excerpt)
      for (const text of ['creme', 'BRULEE creme', '2 cr', 'portions 2 brûl']) {
        assert.deepEqual(await titles(text), ['Crème brûlée, 2 portions'], text)
      }
      for (const text of ['strassen', 'οδος', 'athen STRASSENKARTE']) {
        assert.deepEqual(await titles(text), ['Straßenkarte von Athen: ΟΔΟΣ'], text)
      }
      assert.deepEqual(await titles('地図 京'), ['東京の地図'])
      for (const text of ['crem brulee', 'reme', 'karte', 'creme athen', '"creme" OR x', 'NOT y', '北']) {
        assert.deepEqual(await titles(text), [], text)
      }
    },
  )

  behaviour('does not find thoughts, tools, ends and parts, and what lies beside the words', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    const event = textEvent(ids, 'x')
    const call = { toolCallId: 'c', name: 'needle' }
    await append(storage, ids, [
      { ...event, id: 'a', content: { kind: 'thinking', text: 'needle' } },
      { ...event, id: 'b', content: { kind: 'function_call', ...call, args: 'needle' } },
      { ...event, id: 'needle', content: { kind: 'text', text: 'thread' } },
      { ...event, id: 'd', role: 'system', author: 'system', content: { kind: 'text', text: 'needle' } },
      { ...event, id: 'e', content: { kind: 'needle', text: 'needle' } },
      terminalEvent(ids),
    ])
    assert.deepEqual(await found(storage.sessions, 'needle'), [])
    assert.deepEqual(await found(storage.sessions, 'thread'), ['s: thread'])
  })

  behaviour('shows a tenant nothing of another', async ({ storage }) => {
    const { sessions } = storage
    const tenants = [null, 'acme', 'Acme', 'ac']
    for (const tenant of tenants) {
      await sessions.create(sessionRecord(`of ${tenant}`, { tenant, title: `secret title of ${tenant}` }))
      const ids = idsOf(`of ${tenant}`, `i of ${tenant}`)
      await storage.runs.openRun({
        ...ids,
        exclusive: true,
        inputDigest: '0'.repeat(64),
        owner: { bootId: null, pidNamespace: null, pid: 1, processStartedAt: null },
        events: [openedEvent(ids), userText(ids, 'a', `secret text of ${tenant}`)],
      })
    }
    for (const tenant of tenants) {
      const own = [`of ${tenant}: secret title of ${tenant}`, `of ${tenant}: secret text of ${tenant}`]
      for (const text of ['secret', 's', 'secret of']) assert.deepEqual(await found(sessions, text, tenant), own)
    }
    assert.deepEqual(await found(sessions, 'secret', 'nobody'), [])
    await assert.rejects(sessions.search({ text: 'secret' } as never), { code: 'INVALID_INPUT', field: 'scope' })
    await assert.rejects(sessions.search(undefined as never), { code: 'INVALID_INPUT', field: 'scope' })
  })

  behaviour('pages through titles and texts without one twice or missed', async ({ storage }) => {
    const { sessions } = storage
    for (let index = 0; index < 5; index += 1)
      await sessions.create(sessionRecord(`s${index}`, { title: `word ${index}` }))
    const ids = idsOf('s0', 'i')
    await openRun(storage, ids)
    await append(
      storage,
      ids,
      Array.from({ length: 6 }, (_, index) => textEvent(ids, `e${index}`, `word said ${index}`)),
    )
    const whole = await found(sessions, 'word')
    assert.equal(whole.length, 11)
    for (const limit of [1, 2, 3, 5, 11]) {
      const seen: string[] = []
      for (let after: string | null | undefined; after !== null;) {
        const page = await sessions.search({ scope, text: 'word', limit, ...(after !== undefined && { after }) })
        assert.ok(page.items.length <= limit)
        seen.push(...page.items.map(({ session, excerpt }) => `${session.id}: ${excerpt}`))
        after = page.next
        await append(storage, ids, [textEvent(ids, `new ${limit} ${seen.length}`, 'nothing to see')])
      }
      assert.deepEqual(seen, whole)
    }
    assert.equal((await sessions.search({ scope, text: 'word', limit: 5 })).items.length, 5)
  })

  behaviour('knows a title as it is, and nothing of what was removed', async ({ storage }) => {
    const { sessions } = storage
    const ids = idsOf('s', 'i')
    await sessions.create(sessionRecord('s', { title: 'old name' }))
    await openRun(storage, ids)
    await append(storage, ids, [textEvent(ids, 'a', 'said once'), terminalEvent(ids)])
    assert.deepEqual(await found(sessions, 'name'), ['s: old name'])
    await sessions.update({ sessionId: 's', scope, changes: { title: 'new name' } })
    assert.deepEqual(await found(sessions, 'old'), [])
    assert.deepEqual(await found(sessions, 'new'), ['s: new name'])
    await sessions.update({ sessionId: 's', scope, changes: { title: null } })
    assert.deepEqual(await found(sessions, 'name'), [])
    assert.deepEqual(await found(sessions, 'once'), ['s: said once'])
    await sessions.remove('s', scope)
    assert.deepEqual(await found(sessions, 'once'), [])
    // What comes now may get the places of what went.
    const others = idsOf('t', 'j')
    await openRun(storage, others)
    await append(storage, others, [textEvent(others, 'a', 'said again')])
    assert.deepEqual([await found(sessions, 'once'), await found(sessions, 'said')], [[], ['t: said again']])
    assert.equal((await storage.events.verifyStore()).ok, true)
  })

  behaviour('finds the words of a text of any length', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    const words = Array.from({ length: 3_000 }, (_, index) => `w${index.toString(36)}`)
    await append(storage, ids, [textEvent(ids, 'a', words.join(' ')), terminalEvent(ids)])
    const { items } = await storage.sessions.search({ scope, text: `${words[0]} ${words[1500]} ${words[2999]}` })
    assert.equal(items.length, 1)
    assert.ok(items[0]!.excerpt.length <= 202)
    assert.equal(await storage.sessions.remove('s', scope), true)
    assert.equal((await storage.events.verifyStore()).ok, true)
  })

  behaviour(
    'finds what a foreign writer wrote once its session is created, and skips what is no event',
    async ({ storage, insertForeignRows }) => {
      const { sessions } = storage
      const ids = idsOf('foreign', 'f')
      const rows = [openedEvent(ids), textEvent(ids, 'a', 'from elsewhere'), textEvent(ids, 'b', 'elsewhere broken')]
      await insertForeignRows(
        rows.map((event, index) =>
          foreignRow(event, index + 1, index === 2 ? { payload_json: '{"elsewhere"', event_kind: 'text' } : {}),
        ),
      )
      assert.deepEqual(await found(sessions, 'elsewhere'), [])
      await sessions.create(sessionRecord('foreign'))
      assert.deepEqual(await found(sessions, 'elsewhere'), ['foreign: from elsewhere'])
      await insertForeignRows([foreignRow(textEvent(ids, 'c', 'elsewhere, later'), 4)])
      assert.deepEqual(await found(sessions, 'elsewhere'), ['foreign: elsewhere, later', 'foreign: from elsewhere'])
    },
    'insertForeignRows',
  )
}
