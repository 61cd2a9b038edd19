import assert from 'node:assert/strict'
import type { InvocationCursor, OpenedStorage } from '@daybook/core'
import { runtimeInvocationsFromSessionEvents } from '@daybook/core/runtime-invocation'
import { append, idsOf, lookalikeIds, openedEvent, openRun, terminalEvent, textEvent, wholeRun } from './samples.ts'
import type { Behaviour } from './storage-under-test.ts'

export function invocationBehaviour(behaviour: Behaviour): void {
  behaviour('lists an invocation as its events tell it', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    const opening = openedEvent(ids, 77)
    await openRun(storage, ids, { events: [opening] })
    const open = { ...ids, openedAt: 77, opening: opening.content }
    assert.deepEqual(await storage.events.listSessionInvocations('s'), [open])
    await append(storage, ids, [textEvent(ids, 'a'), terminalEvent(ids, 'failed', 'ended', -5)])
    const terminal = (await storage.events.readSessionRuntimeEvents('s')).at(-1)?.event
    assert.deepEqual(await storage.events.listSessionInvocations('s'), [{ ...open, terminalEvent: terminal }])
  })

  behaviour('lists oldest first by the opening’s own time, then by id in code point order', async ({ storage }) => {
    const lookalikes = lookalikeIds.flat()
    await wholeRun(storage, idsOf('s', 'late'), 900)
    for (const id of lookalikes.toReversed()) await wholeRun(storage, idsOf('s', id), 5)
    await wholeRun(storage, idsOf('s', 'early'), -900)
    const listed = (await storage.events.listSessionInvocations('s')).map(({ invocationId }) => invocationId)
    assert.deepEqual([listed[0], listed.at(-1)], ['early', 'late'])
    for (const [lower, higher] of lookalikeIds) {
      assert.ok(listed.indexOf(lower) < listed.indexOf(higher), JSON.stringify([lower, higher]))
    }
    await assertIndexIsRebuild(storage, 's')
  })

  behaviour('shows a session nothing of another', async ({ storage }) => {
    await wholeRun(storage, idsOf('s', 'i', 'turn'))
    await wholeRun(storage, idsOf('t', 'j', 'turn'))
    const listed = await storage.events.listSessionInvocations('s')
    assert.deepEqual(
      listed.map(({ invocationId }) => invocationId),
      ['i'],
    )
    assert.deepEqual(await storage.events.listSessionInvocations('none'), [])
  })

  behaviour(
    'pages newest first without an invocation twice or missed while newer ones are opened',
    async ({ storage }) => {
      for (let index = 0; index < 7; index += 1) await wholeRun(storage, idsOf('s', `i${index}`), index >> 1)
      const expected = (await storage.events.listSessionInvocations('s')).toReversed()
      const seen = []
      let before: InvocationCursor | null | undefined
      for (let page = 0; before !== null; page += 1) {
        const { items, next } = await storage.events.listSessionInvocationsPage('s', {
          limit: 2,
          ...(before && { before }),
        })
        assert.ok(items.length <= 2)
        seen.push(...items)
        await wholeRun(storage, idsOf('s', `newer ${page}`), 1_000)
        before = next
      }
      assert.deepEqual(seen, expected)
    },
  )

  behaviour(
    'gives 100 invocations unless told, says when nothing follows, and refuses other limits',
    async ({ storage }) => {
      for (let index = 0; index < 101; index += 1) await openRun(storage, idsOf('s', `i${index}`), { exclusive: false })
      const { items, next } = await storage.events.listSessionInvocationsPage('s')
      assert.deepEqual([items.length, next !== null], [100, true])
      const full = await storage.events.listSessionInvocationsPage('s', { limit: 101 })
      assert.deepEqual([full.items.length, full.next], [101, null])
      for (const limit of [0, -1, 1.5, 1001, Number.NaN]) {
        await assert.rejects(storage.events.listSessionInvocationsPage('s', { limit }), {
          code: 'INVALID_INPUT',
          field: 'limit',
        })
      }
    },
  )

  behaviour('refuses a cursor that no page returned', async ({ storage }) => {
    for (const before of [{ openedAt: 0.5, invocationId: 'i' }, { openedAt: 1 }, { invocationId: 'i' }, 'first']) {
      await assert.rejects(
        storage.events.listSessionInvocationsPage('s', { before: before as InvocationCursor }),
        (error: { family?: string; field?: string }) =>
          error.family === 'input' && error.field?.startsWith('before') === true,
        JSON.stringify(before),
      )
    }
  })

  behaviour(
    'lists the same after it is opened again',
    async ({ storage, reopen }) => {
      await wholeRun(storage, idsOf('s', 'i'))
      await openRun(storage, idsOf('s', 'j'))
      const listed = await storage.events.listSessionInvocations('s')
      const reopened = await reopen()
      assert.deepEqual(await reopened.events.listSessionInvocations('s'), listed)
      await assertIndexIsRebuild(reopened, 's')
    },
    'reopen',
  )
}

/** The list, the pages and the rebuild from the events alone give the same answer. */
export async function assertIndexIsRebuild(storage: OpenedStorage, sessionId: string): Promise<void> {
  const rebuilt = runtimeInvocationsFromSessionEvents(
    sessionId,
    await storage.events.readSessionRuntimeEvents(sessionId),
  )
  assert.deepEqual(await storage.events.listSessionInvocations(sessionId), rebuilt)
  const paged = []
  let before: InvocationCursor | null | undefined
  while (before !== null) {
    const page = await storage.events.listSessionInvocationsPage(sessionId, { limit: 3, ...(before && { before }) })
    paged.push(...page.items)
    before = page.next
  }
  assert.deepEqual(paged.toReversed(), rebuilt)
}
