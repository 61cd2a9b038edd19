import assert from 'node:assert/strict'
import type { Page } from '@daybook/core'
import type { RuntimeEvent, StoredRuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { append, idsOf, openRun, terminalEvent, textEvent, wholeRun } from './samples.ts'
import type { Behaviour } from './storage-under-test.ts'

export function readBehaviour(behaviour: Behaviour): void {
  behaviour('reads an event as it was appended, whatever JSON it holds', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    const events: RuntimeEvent[] = [
      { ...textEvent(ids, 'control', 'x\u0000y\u2028\u{1F600}'), ts: Number.MIN_SAFE_INTEGER },
      {
        ...textEvent(ids, 'unknown kind'),
        content: { kind: 'hologram', ['__proto__']: { deep: [null, 1e21, 5e-324] } },
      },
      { ...textEvent(ids, 'all of it'), agentPath: ['outer', 'inner'], refs: { messageId: 'm', stepId: '1' } },
      { ...textEvent(ids, 'state'), actions: { stateDelta: { '': [], '\u{10000}': {}, '\uFFFD': false } } },
    ]
    await append(storage, ids, events)
    const stored = await storage.events.readSessionRuntimeEvents('s')
    assert.deepEqual(
      stored.slice(1).map(({ event }) => event),
      events,
    )
    assert.ok(stored.every(({ committedAt }) => Number.isSafeInteger(committedAt)))
  })

  behaviour('reads a session in the order of its appends, whatever the clocks said', async ({ storage }) => {
    const [first, second] = [idsOf('s', 'z'), idsOf('s', 'a')]
    for (const ids of [first, second]) await openRun(storage, ids, { exclusive: false })
    await append(storage, second, [textEvent(second, 'one', 'one', 900)])
    await append(storage, first, [textEvent(first, 'two', 'two', -900)])
    await append(storage, second, [textEvent(second, 'three', 'three', 0)])
    const stored = await storage.events.readSessionRuntimeEvents('s')
    assert.deepEqual(
      stored.map(({ event }) => event.id),
      ['opened', 'opened', 'one', 'two', 'three'],
    )
    assert.deepEqual(
      stored.map(({ sessionSeq }) => sessionSeq),
      [1, 2, 3, 4, 5],
    )
  })

  behaviour(
    'pages a run and a session without a row twice or missed while others are appended',
    async ({ storage }) => {
      const [ids, other] = [idsOf('s', 'i'), idsOf('s', 'j')]
      for (const run of [ids, other]) await openRun(storage, run, { exclusive: false })
      await append(
        storage,
        ids,
        Array.from({ length: 5 }, (_, index) => textEvent(ids, `e${index}`)),
      )
      const reads = {
        run: (query: { after: number; limit: number }) => storage.events.readRunRuntimeEvents(ids.runId, query),
        session: (query: { after: number; limit: number }) => storage.events.readSessionRuntimeEventsPage('s', query),
      }
      for (const [name, read] of Object.entries(reads)) {
        const seen: string[] = []
        for (let after: number | null = 0, page = 0; after !== null; page += 1) {
          const { items, next, floor }: Page<StoredRuntimeEvent, number> = await read({ after, limit: 2 })
          assert.ok(items.length <= 2)
          assert.equal(floor, 1)
          seen.push(...items.map(({ event }) => `${event.invocationId} ${event.id}`))
          if (page < 3) for (const run of [ids, other]) await append(storage, run, [textEvent(run, `${name} ${page}`)])
          after = next
        }
        const all = await storage.events.readSessionRuntimeEvents('s')
        const expected = name === 'run' ? all.filter(({ event }) => event.invocationId === 'i') : all
        assert.deepEqual(
          seen,
          expected.map(({ event }) => `${event.invocationId} ${event.id}`),
        )
      }
    },
  )

  behaviour('says that nothing follows when a page is exactly full', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await wholeRun(storage, ids)
    for (const read of [
      storage.events.readRunRuntimeEvents(ids.runId, { limit: 3 }),
      storage.events.readSessionRuntimeEventsPage('s', { after: 0, limit: 3 }),
    ]) {
      const { items, next } = await read
      assert.deepEqual([items.length, next], [3, null])
    }
  })

  behaviour('reads nothing where nothing is', async ({ storage }) => {
    const empty = { items: [], next: null, floor: 1 }
    assert.deepEqual(await storage.events.readRunRuntimeEvents('none'), empty)
    assert.deepEqual(await storage.events.readSessionRuntimeEventsPage('none', { after: 5 }), empty)
    assert.deepEqual(await storage.events.readSessionRuntimeEvents('none'), [])
    const ids = idsOf('s', 'i')
    await wholeRun(storage, ids)
    assert.deepEqual(await storage.events.readRunRuntimeEvents(ids.runId, { after: 3 }), empty)
    assert.deepEqual(await storage.events.readRunRuntimeEvents(ids.runId, { after: 99 }), empty)
  })

  behaviour(
    'gives 100 events unless told, at most 1000, and refuses other limits and positions',
    async ({ storage }) => {
      const ids = idsOf('s', 'i')
      await openRun(storage, ids)
      await append(
        storage,
        ids,
        Array.from({ length: 110 }, (_, index) => textEvent(ids, `e${index}`)),
      )
      for (const read of [
        (query?: object) => storage.events.readRunRuntimeEvents(ids.runId, query),
        (query?: object) => storage.events.readSessionRuntimeEventsPage('s', query),
      ]) {
        assert.equal((await read()).items.length, 100)
        assert.equal((await read({ limit: 1000 })).items.length, 111)
        for (const limit of [0, -1, 1.5, 1001, Number.NaN, '5']) {
          await assert.rejects(read({ limit }), { code: 'INVALID_INPUT', field: 'limit' }, String(limit))
        }
        for (const after of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, '1']) {
          await assert.rejects(read({ after }), { code: 'INVALID_INPUT', field: 'after' }, String(after))
        }
      }
    },
  )

  behaviour('reads what was appended as soon as the append resolves', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    for (const id of ['a', 'b', 'c']) {
      await append(storage, ids, [textEvent(ids, id)])
      assert.equal((await storage.events.readSessionRuntimeEvents('s')).at(-1)?.event.id, id)
    }
    await append(storage, ids, [terminalEvent(ids)])
    assert.equal((await storage.runs.readRun(ids.runId))?.state, 'completed')
  })

  behaviour('reads the newest events first, page by page', async ({ storage }) => {
    const [ids, beside] = [idsOf('s', 'i'), idsOf('s', 'j')]
    for (const run of [ids, beside]) await openRun(storage, run, { exclusive: false })
    for (const run of [ids, beside, ids]) await append(storage, run, [textEvent(run, 'a'), textEvent(run, 'b')])
    const all = (await storage.events.readSessionRuntimeEvents('s')).toReversed()
    assert.equal(all.length, 6)
    const read = (query?: { before?: number; limit?: number }) =>
      storage.events.readNewestSessionRuntimeEventsPage('s', query)
    assert.deepEqual(await read(), { items: all, next: null, floor: 1 })
    assert.deepEqual(await read({ limit: 4 }), { items: all.slice(0, 4), next: 3, floor: 1 })
    assert.deepEqual(await read({ limit: 4, before: 3 }), { items: all.slice(4), next: null, floor: 1 })
    assert.deepEqual((await read({ before: 1 })).items, [])
    await assert.rejects(read({ before: -1 }), { code: 'INVALID_INPUT', field: 'before' })
    await assert.rejects(read({ limit: 0 }), { code: 'INVALID_INPUT', field: 'limit' })
  })
}
