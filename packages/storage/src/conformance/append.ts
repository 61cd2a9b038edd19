import assert from 'node:assert/strict'
import type { AppendedEvent } from '@daybook/core'
import type { RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import {
  anOwner,
  append,
  idsOf,
  lookalikeIds,
  openedEvent,
  openRun,
  terminalEvent,
  textEvent,
  wholeRun,
  type RunIds,
} from './samples.ts'
import type { Behaviour } from './storage-under-test.ts'

export function appendBehaviour(behaviour: Behaviour): void {
  behaviour('numbers events without a gap in each invocation and in each session', async ({ storage }) => {
    const [first, second, elsewhere] = [idsOf('s', 'i'), idsOf('s', 'j'), idsOf('t', 'k')]
    for (const ids of [first, second, elsewhere]) await openRun(storage, ids, { exclusive: false })
    const appended: AppendedEvent[] = []
    for (const ids of [second, first, elsewhere, second, first]) {
      const id = `text ${appended.length}`
      appended.push(...(await append(storage, ids, [textEvent(ids, id), textEvent(ids, `${id}b`)])))
    }
    assert.deepEqual(
      appended.map(({ eventSeq, sessionSeq }) => [eventSeq, sessionSeq]),
      [
        [2, 3],
        [3, 4],
        [2, 5],
        [3, 6],
        [2, 2],
        [3, 3],
        [4, 7],
        [5, 8],
        [4, 9],
        [5, 10],
      ],
    )
    assert.deepEqual(appended.map(({ eventId, duplicate }) => [eventId, duplicate]).at(-1), ['text 8b', false])
  })

  behaviour('takes the same event again as stored before', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    const [first] = await append(storage, ids, [textEvent(ids, 'a')])
    const [again, next] = await append(storage, ids, [textEvent(ids, 'a'), textEvent(ids, 'b')])
    assert.deepEqual(again, { ...first, duplicate: true })
    assert.deepEqual([next?.eventSeq, next?.duplicate], [3, false])
    assert.deepEqual(await append(storage, ids, [openedEvent(ids)]), [
      { eventId: 'opened', eventSeq: 1, sessionSeq: 1, duplicate: true },
    ])
    assert.equal((await storage.events.readSessionRuntimeEvents('s')).length, 3)
  })

  behaviour(
    'takes a whole batch again, its terminal event too, after the end and from an old owner',
    async ({ storage }) => {
      const ids = idsOf('s', 'i')
      await openRun(storage, ids)
      const batch = [textEvent(ids, 'a'), terminalEvent(ids)]
      const appended = await append(storage, ids, batch)
      for (const epoch of [1, 9]) {
        const again = await append(storage, ids, batch, epoch)
        assert.deepEqual(
          again,
          appended.map((one) => ({ ...one, duplicate: true })),
        )
      }
      assert.equal((await storage.events.readSessionRuntimeEvents('s')).length, 3)
    },
  )

  behaviour('takes an event twice in one batch once', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    const appended = await append(storage, ids, [textEvent(ids, 'a'), textEvent(ids, 'a')])
    assert.deepEqual(
      appended.map(({ eventSeq, duplicate }) => [eventSeq, duplicate]),
      [
        [2, false],
        [2, true],
      ],
    )
    await assert.rejects(append(storage, ids, [textEvent(ids, 'b', 'one'), textEvent(ids, 'b', 'two')]), {
      code: 'EVENT_ID_CONFLICT',
      eventId: 'b',
    })
    assert.equal((await storage.events.readSessionRuntimeEvents('s')).length, 2)
  })

  behaviour('checks the id first, then the owner, then the seal', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    await append(storage, ids, [textEvent(ids, 'a')])
    await storage.runs.claimRun({ runId: ids.runId, expectedEpoch: 1, owner: anOwner, ownerIsGone: true })
    await append(storage, ids, [terminalEvent(ids)], 2)
    const conflict = { code: 'EVENT_ID_CONFLICT', eventId: 'a', invocationId: 'i' }
    await assert.rejects(append(storage, ids, [textEvent(ids, 'a', 'other')], 1), conflict)
    await assert.rejects(append(storage, ids, [textEvent(ids, 'a', 'other')], 2), conflict)
    await assert.rejects(append(storage, ids, [terminalEvent(ids, 'failed')], 2), { ...conflict, eventId: 'ended' })
    await assert.rejects(append(storage, ids, [textEvent(ids, 'b')], 1), {
      code: 'STALE_OWNER',
      epoch: 1,
      currentEpoch: 2,
    })
    await assert.rejects(append(storage, ids, [textEvent(ids, 'b')], 3), {
      code: 'STALE_OWNER',
      epoch: 3,
      currentEpoch: 2,
    })
    await assert.rejects(append(storage, ids, [textEvent(ids, 'b')], 2), { code: 'RUN_SEALED', runId: ids.runId })
    await assert.rejects(append(storage, ids, [terminalEvent(ids, 'failed', 'second end')], 2), { code: 'RUN_SEALED' })
    assert.equal((await storage.events.readSessionRuntimeEvents('s')).length, 3)
  })

  behaviour('stores all of a batch or nothing', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    await append(storage, ids, [textEvent(ids, 'a')])
    const refused: Record<string, RuntimeEvent[]> = {
      EVENT_ID_CONFLICT: [textEvent(ids, 'b'), textEvent(ids, 'a', 'other')],
      NOT_CANONICAL: [textEvent(ids, 'b'), textEvent(ids, 'c', '\ud800')],
      PAYLOAD_TOO_LARGE: [textEvent(ids, 'b'), textEvent(ids, 'c', 'x'.repeat(1_048_576))],
      INVALID_EVENT: [terminalEvent(ids), textEvent(ids, 'b')],
    }
    for (const [code, events] of Object.entries(refused)) await assert.rejects(append(storage, ids, events), { code })
    assert.equal((await storage.events.readSessionRuntimeEvents('s')).length, 2)
    assert.deepEqual((await append(storage, ids, [textEvent(ids, 'b')]))[0]?.eventSeq, 3)
  })

  behaviour('refuses events that are not of this run, and names the field', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    await openRun(storage, idsOf('t', 'j'))
    for (const field of ['sessionId', 'invocationId', 'runId', 'turnId'] as const) {
      const event = { ...textEvent(ids, 'a'), [field]: idsOf('t', 'j')[field] }
      await assert.rejects(append(storage, ids, [event]), { code: 'INVALID_EVENT', path: `/${field}` }, field)
    }
    assert.equal((await storage.events.readSessionRuntimeEvents('s')).length, 1)
  })

  behaviour('ends a run without a status too', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    await append(storage, ids, [{ ...textEvent(ids, 'a'), actions: { endInvocation: true } }])
    assert.equal((await storage.runs.readRun(ids.runId))?.state, 'completed')
    await assert.rejects(append(storage, ids, [textEvent(ids, 'b')]), { code: 'RUN_SEALED' })
  })

  behaviour('refuses a second opening', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    await assert.rejects(append(storage, ids, [{ ...openedEvent(ids), id: 'again' }]), { code: 'INVALID_EVENT' })
  })

  behaviour('refuses to append to what was never opened', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await assert.rejects(append(storage, ids, [textEvent(ids, 'a')]), { code: 'RUN_NOT_FOUND' })
  })

  behaviour('takes one MiB and refuses one byte more', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    const room = 1_048_576 - Buffer.byteLength(JSON.stringify(textEvent(ids, 'large', '')))
    await append(storage, ids, [textEvent(ids, 'large', 'é'.repeat(room / 2) + 'x'.repeat(room % 2))])
    await assert.rejects(append(storage, ids, [textEvent(ids, 'other', 'x'.repeat(room + 1))]), {
      code: 'PAYLOAD_TOO_LARGE',
      bytes: 1_048_577,
      maxBytes: 1_048_576,
    })
  })

  behaviour('tells apart event ids that differ by case, by normal form or beyond the BMP', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    const events = lookalikeIds.flat().map((id) => textEvent(ids, id))
    const appended = await append(storage, ids, events)
    assert.ok(appended.every((one) => !one.duplicate))
    assert.ok((await append(storage, ids, events)).every((one) => one.duplicate))
  })

  behaviour('tells apart invocations and sessions whose ids look alike', async ({ storage }) => {
    const all: RunIds[] = lookalikeIds.flat().map((id) => ({ sessionId: id, invocationId: id, runId: id, turnId: id }))
    for (const ids of all) await wholeRun(storage, ids)
    for (const ids of all) {
      const events = await storage.events.readSessionRuntimeEvents(ids.sessionId)
      assert.deepEqual(
        events.map(({ event, eventSeq, sessionSeq }) => [event.invocationId, eventSeq, sessionSeq]),
        [
          [ids.invocationId, 1, 1],
          [ids.invocationId, 2, 2],
          [ids.invocationId, 3, 3],
        ],
      )
    }
    assert.equal((await storage.events.verifyStore()).ok, true)
  })

  behaviour('stores 50 appends that nobody awaited in the order of the calls', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    const calls = Array.from({ length: 50 }, (_, index) => append(storage, ids, [textEvent(ids, `e${index}`)]))
    const appended = (await Promise.all(calls)).flat()
    assert.deepEqual(
      appended.map((one) => one.eventSeq),
      calls.map((_, index) => index + 2),
    )
    const { items } = await storage.events.readRunRuntimeEvents(ids.runId, { after: 1 })
    assert.deepEqual(
      items.map(({ event }) => event.id),
      calls.map((_, index) => `e${index}`),
    )
  })

  behaviour('lets a refused append spoil none that was made beside it', async ({ storage }) => {
    const runs = Array.from({ length: 6 }, (_, index) => idsOf(`s${index}`, `i${index}`))
    for (const ids of runs) await openRun(storage, ids)
    const settled = await Promise.allSettled(
      runs.map((ids, index) => append(storage, ids, [textEvent(ids, 'a')], index % 2 === 0 ? 1 : 7)),
    )
    assert.deepEqual(
      settled.map((one) => one.status),
      runs.map((_, index) => (index % 2 === 0 ? 'fulfilled' : 'rejected')),
    )
    assert.equal((await storage.events.verifyStore()).ok, true)
  })

  behaviour('keeps copies: changing what went in or came out changes nothing', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    const given = textEvent(ids, 'a', 'as given')
    const expected = structuredClone(given)
    const change = (event: RuntimeEvent) => ((event.content as { text: string }).text = 'changed')
    const appending = append(storage, ids, [given])
    change(given)
    await appending
    change((await storage.events.readSessionRuntimeEvents('s'))[1]!.event)
    assert.deepEqual((await storage.events.readSessionRuntimeEvents('s'))[1]?.event, expected)
  })

  behaviour(
    'stamps the terminal event with a digest of all before it, and takes none from a producer',
    async ({ storage }) => {
      const ids = idsOf('s', 'i')
      await wholeRun(storage, ids)
      const last = (await storage.events.readSessionRuntimeEvents('s')).at(-1)?.event
      assert.match(last?.actions?.ledgerDigest ?? '', /^[0-9a-f]{64}$/)
      const other = idsOf('s', 'j')
      await openRun(storage, other)
      const event = terminalEvent(other)
      const forged = { ...event, actions: { ...event.actions, ledgerDigest: '0'.repeat(64) } }
      await assert.rejects(append(storage, other, [forged]), { code: 'INVALID_EVENT', path: '/actions/ledgerDigest' })
    },
  )

  behaviour('refuses everything once it is closed, and closes again without harm', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    storage.close()
    storage.close()
    const closed = { code: 'STORAGE_CLOSED' }
    await assert.rejects(append(storage, ids, [textEvent(ids, 'a')]), closed)
    await assert.rejects(storage.events.readSessionRuntimeEvents('s'), closed)
    await assert.rejects(storage.sessions.list({ scope: { tenant: null } }), closed)
    await assert.rejects(storage.runs.readRun(ids.runId), closed)
  })

  behaviour(
    'goes on where it was after it is opened again',
    async ({ storage, reopen }) => {
      const ids = idsOf('s', 'i')
      await openRun(storage, ids)
      await append(storage, ids, [textEvent(ids, 'a')])
      const reopened = await reopen()
      const appended = await append(reopened, ids, [textEvent(ids, 'a'), terminalEvent(ids)])
      assert.deepEqual(
        appended.map(({ eventSeq, duplicate }) => [eventSeq, duplicate]),
        [
          [2, true],
          [3, false],
        ],
      )
      await assert.rejects(append(reopened, ids, [textEvent(ids, 'b')]), { code: 'RUN_SEALED' })
      assert.equal((await reopened.events.verifyStore()).ok, true)
    },
    'reopen',
  )
}
