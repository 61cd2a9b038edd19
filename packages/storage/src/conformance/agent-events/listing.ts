import assert from 'node:assert/strict'
import type { AgentEventHeader, AgentEventRunCursor, AgentEventStore } from '@daybook/core'
import { headerOf, openLog, stepRow } from './samples.ts'
import type { AgentEventBehaviour } from './store-under-test.ts'

async function listAll(store: AgentEventStore, finished: boolean, until: number, limit: number): Promise<string[]> {
  const headers: AgentEventHeader[] = []
  let after: AgentEventRunCursor | undefined
  do {
    const page = await store.listRuns({ finished, until, limit, ...(after && { after }) })
    assert.ok(page.items.length <= limit)
    headers.push(...page.items)
    after = page.next ?? undefined
  } while (after !== undefined)
  for (const header of headers) assert.deepEqual(await store.readHeader(header.runId), header)
  return headers.map(({ runId }) => runId)
}

export function listingBehaviour(behaviour: AgentEventBehaviour): void {
  behaviour('lists finished and open runs apart, by time and then by code point', async ({ store }) => {
    // The last two stand the other way round where UTF-16 units are compared.
    const ids = ['B', 'a', '\u{fffd}', '\u{1f642}']
    for (const runId of ids.toReversed()) {
      await openLog(store, `open ${runId}`, 1, { openedAt: 10 })
      await openLog(store, `finished ${runId}`, 1, { openedAt: 10, finishedAt: 20 })
    }
    await openLog(store, 'early', 0, { openedAt: 9 })
    await openLog(store, 'late', 0, { openedAt: 11 })
    await openLog(store, 'timeless')
    const open = ['timeless', 'early', ...ids.map((id) => `open ${id}`), 'late']
    for (const limit of [1, 2, 100]) {
      assert.deepEqual(await listAll(store, false, 11, limit), open)
      assert.deepEqual(await listAll(store, false, 10, limit), open.slice(0, -1))
      assert.deepEqual(await listAll(store, false, 8, limit), ['timeless'])
      assert.deepEqual(await listAll(store, true, 19, limit), [])
      assert.deepEqual(
        await listAll(store, true, 20, limit),
        ids.map((id) => `finished ${id}`),
      )
    }
  })

  behaviour('moves a run when it is finished, and takes it out when it is removed', async ({ store }) => {
    await openLog(store, 'r', 0, { openedAt: 10 })
    assert.deepEqual(await listAll(store, false, 10, 10), ['r'])
    await store.append('r', stepRow(1, { finishedAt: 5 }))
    assert.deepEqual(await listAll(store, false, 10, 10), [])
    assert.deepEqual(await listAll(store, true, 5, 10), ['r'])
    await store.remove('r')
    assert.deepEqual(await listAll(store, true, 5, 10), [])
  })

  behaviour('pages on past runs that were removed meanwhile', async ({ store }) => {
    for (const runId of ['a', 'b', 'c', 'd']) await store.writeHeader(headerOf(runId, { finishedAt: 1 }))
    const page = await store.listRuns({ finished: true, until: 1, limit: 2 })
    assert.deepEqual(page.next, { at: 1, runId: 'b' })
    for (const runId of ['a', 'b', 'c']) await store.remove(runId)
    const rest = await store.listRuns({ finished: true, until: 1, limit: 2, after: page.next! })
    assert.deepEqual([rest.items.map(({ runId }) => runId), rest.next], [['d'], null])
  })

  behaviour('refuses a query that has no answer', async ({ store }) => {
    const query = { finished: true, until: 1 }
    for (const changes of [
      { finished: 'yes' },
      { until: NaN },
      { until: undefined },
      { limit: 0 },
      { limit: 1001 },
      { after: { at: 0.5, runId: 'r' } },
      { after: { runId: 'r' } },
      { before: 1 },
    ]) {
      await assert.rejects(store.listRuns({ ...query, ...changes } as typeof query), { code: 'INVALID_INPUT' })
    }
  })
}
