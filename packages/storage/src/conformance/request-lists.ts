import assert from 'node:assert/strict'
import type { RequestCursor } from '@daybook/core'
import { assertStates, everyone, openIds, waitingRun } from './request-samples.ts'
import {
  anOwner,
  answerEvent,
  append,
  askEvent,
  idsOf,
  lookalikeIds,
  openRequest,
  openRun,
  sessionRecord,
  terminalEvent,
} from './samples.ts'
import type { Behaviour } from './storage-under-test.ts'

export function requestListBehaviour(behaviour: Behaviour): void {
  behaviour('lists what is open page by page, oldest first, then by code point', async ({ storage, clock }) => {
    const runs = lookalikeIds.flat().map((id) => ({ ...idsOf(id, id), turnId: id }))
    for (const [index, ids] of runs.entries()) {
      await openRun(storage, ids)
      clock.holdAt(1_000 - Math.floor(index / 4))
      await append(storage, ids, [askEvent(ids, 'b'), askEvent(ids, 'a')])
    }
    clock.holdAt(2_000)
    const whole = await storage.events.listOpenRequests({ scope: everyone })
    assert.deepEqual([whole.items.length, whole.next, whole.floor], [16, null, 1])
    assert.deepEqual(
      whole.items.slice(0, 2).map(({ requestedAt, sessionId, requestId }) => [requestedAt, sessionId, requestId]),
      [
        [999, 'a\u0301', 'a'],
        [999, 'a\u0301', 'b'],
      ],
    )
    const paged = []
    let after: RequestCursor | null | undefined
    while (after !== null) {
      const page = await storage.events.listOpenRequests({ scope: everyone, limit: 3, ...(after && { after }) })
      assert.ok(page.items.length <= 3)
      paged.push(...page.items)
      after = page.next
    }
    assert.deepEqual(paged, whole.items)
    const [ofOne, none] = await Promise.all([openIds(storage, 'Id'), openIds(storage, 'none')])
    assert.deepEqual([ofOne, none], [['a', 'b'], []])
    const page = await storage.events.listOpenRequests({ scope: everyone, sessionId: 'Id', limit: 1 })
    assert.deepEqual(page.next, { requestedAt: 1_000, sessionId: 'Id', requestId: 'a' })
    const rest = await storage.events.listOpenRequests({ scope: everyone, sessionId: 'Id', after: page.next! })
    assert.deepEqual(
      rest.items.map(({ requestId }) => requestId),
      ['b'],
    )
  })

  behaviour('shows requests in their scope only, and refuses calls without one', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await storage.sessions.create(sessionRecord('s', { tenant: 'one' }))
    await storage.runs.openRun(openRequest(ids))
    await append(storage, ids, [askEvent(ids, 'r')])
    for (const [tenant, seen] of [
      ['one', 1],
      ['two', 0],
      [null, 0],
    ] as const) {
      const scope = { tenant }
      assert.equal((await storage.events.listOpenRequests({ scope })).items.length, seen)
      assert.equal((await storage.events.listOpenRequests({ scope, sessionId: 's' })).items.length, seen)
      assert.equal((await storage.events.readRequest('s', 'r', scope)) === undefined, seen === 0)
    }
    const missing = { code: 'INVALID_INPUT' }
    await assert.rejects(storage.events.listOpenRequests({} as never), missing)
    await assert.rejects(storage.events.listOpenRequests(undefined as never), missing)
    await assert.rejects(storage.events.readRequest('s', 'r', undefined as never), missing)
    await assert.rejects(storage.events.listOpenRequests({ scope: everyone, limit: 0 }), missing)
    const after = { requestedAt: 'then', sessionId: '', requestId: '' } as never
    await assert.rejects(storage.events.listOpenRequests({ scope: everyone, after }), missing)
  })

  behaviour('tells an owner what it need not wait for any more, of its unfinished runs', async ({ storage, clock }) => {
    const [ids, other, ended] = [idsOf('s', 'i'), idsOf('t', 'j'), idsOf('u', 'k')]
    clock.holdAt(1_000)
    const otherOwner = { ...anOwner, processStartedAt: null }
    await openRun(storage, ids)
    await openRun(storage, other, { owner: otherOwner })
    await openRun(storage, ended)
    for (const run of [ids, other, ended]) {
      await append(storage, run, [
        askEvent(run, 'open', { wait: 'live' }),
        askEvent(run, 'answered', { wait: 'live' }),
        askEvent(run, 'expired', { wait: 'live', expiresInMs: 5 }),
        askEvent(run, 'later'),
      ])
      await append(storage, run, [answerEvent(run, 'answered'), answerEvent(run, 'later')])
    }
    await append(storage, ended, [terminalEvent(ended)])
    const awaited = ['s', 't', 'u', 'nowhere'].flatMap((sessionId) =>
      ['open', 'answered', 'expired', 'never asked'].map((requestId) => ({ sessionId, requestId })),
    )
    const settled = async (owner = anOwner, of = awaited) =>
      (await storage.events.listSettledRequests(owner, of)).map(
        (one) => `${one.sessionId} ${one.requestId} ${one.state}`,
      )
    assert.deepEqual(await settled(), ['s answered approved'])
    clock.holdAt(1_005)
    assert.deepEqual((await settled()).toSorted(), ['s answered approved', 's expired open'])
    assert.deepEqual((await settled(otherOwner)).toSorted(), ['t answered approved', 't expired open'])
    assert.deepEqual(await settled({ ...anOwner, pid: 43 }), [])
    assert.deepEqual(await settled(anOwner, [{ sessionId: 's', requestId: 'expired' }]), ['s expired open'])
    assert.deepEqual(await settled(anOwner, []), [])
    const [first] = await storage.events.listSettledRequests(otherOwner, awaited)
    assert.deepEqual(first, await storage.events.readRequest('t', first!.requestId, everyone))
  })

  behaviour('lists what has expired while its turn waits, oldest first', async ({ storage, clock }) => {
    const [ids, other, driven] = [idsOf('s', 'i'), idsOf('t', 'j'), idsOf('u', 'k')]
    clock.holdAt(1_000)
    for (const [run, expiresInMs] of [
      [ids, 30],
      [other, 20],
      [driven, 10],
    ] as const) {
      await openRun(storage, run)
      await append(storage, run, [
        askEvent(run, 'r', { expiresInMs }),
        askEvent(run, 'never'),
        askEvent(run, 'a', { expiresInMs }),
      ])
      if (run !== driven) await append(storage, run, [terminalEvent(run, 'waiting')])
    }
    const expired = async (limit?: number, after?: { expiresAt: number; sessionId: string; requestId: string }) => {
      const query = { ...(limit !== undefined && { limit }), ...(after && { after }) }
      const requests = await storage.events.listExpiredRequests(query)
      return requests.map(({ sessionId, requestId }) => `${sessionId} ${requestId}`)
    }
    clock.holdAt(1_020)
    assert.deepEqual(await expired(), ['t a', 't r'])
    clock.holdAt(1_030)
    assert.deepEqual(await expired(), ['t a', 't r', 's a', 's r'])
    assert.deepEqual(await expired(1), ['t a'])
    assert.deepEqual(await expired(2, { expiresAt: 1_020, sessionId: 't', requestId: 'a' }), ['t r', 's a'])
    assert.deepEqual(await expired(2, { expiresAt: 1_030, sessionId: 's', requestId: 'r' }), [])
    await append(storage, driven, [terminalEvent(driven, 'waiting')])
    assert.deepEqual(await expired(2), ['u a', 'u r'])
    await assert.rejects(storage.events.listExpiredRequests({ limit: 0 }), { code: 'INVALID_INPUT' })
  })

  behaviour('removes with a session what it asked', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await waitingRun(storage, ids, ['r'])
    assert.equal(await storage.sessions.remove('s', everyone), true)
    assert.deepEqual(await openIds(storage), [])
    assert.equal(await storage.events.readRequest('s', 'r', everyone), undefined)
    assert.deepEqual(await storage.events.listTurnRequests('s', ids.turnId), [])
    await waitingRun(storage, ids, ['r'])
    assert.deepEqual(await openIds(storage), ['r'])
  })

  behaviour('keeps copies of what is asked', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    await append(storage, ids, [askEvent(ids, 'r')])
    const [listed] = (await storage.events.listOpenRequests({ scope: everyone })).items
    ;(listed!.payload as { run: string }).run = 'changed'
    assert.deepEqual((await storage.events.readRequest('s', 'r', everyone))?.payload, { run: 'r' })
  })

  behaviour(
    'knows what is open after it is opened again',
    async ({ storage, reopen }) => {
      const ids = idsOf('s', 'i')
      await openRun(storage, ids)
      await append(storage, ids, [askEvent(ids, 'a'), askEvent(ids, 'b')])
      await append(storage, ids, [answerEvent(ids, 'b')])
      const before = await storage.events.listTurnRequests('s', ids.turnId)
      const reopened = await reopen()
      assert.deepEqual(await reopened.events.listTurnRequests('s', ids.turnId), before)
      await append(reopened, ids, [answerEvent(ids, 'a')])
      await assertStates(reopened, 's', { a: 'approved', b: 'approved' })
    },
    'reopen',
  )
}
