import assert from 'node:assert/strict'
import { headerOf, openLog, seqsOf, stepRow } from './samples.ts'
import type { AgentEventBehaviour } from './store-under-test.ts'

export function removalBehaviour(behaviour: AgentEventBehaviour): void {
  behaviour('removes all of a run, says so once, and leaves the others', async ({ store }) => {
    for (const runId of ['r', 'q']) await openLog(store, runId, 3, { finishedAt: 1 })
    assert.equal(await store.remove('none'), false)
    assert.equal(await store.remove('r'), true)
    assert.equal(await store.remove('r'), false)
    assert.equal(await store.read('r'), undefined)
    assert.equal(await store.readState('r'), undefined)
    assert.deepEqual((await store.readPage('r')).items, [])
    assert.deepEqual(await seqsOf(store, 'q'), [1, 2, 3])
  })

  behaviour('starts anew where a removed run is opened again', async ({ store }) => {
    await openLog(store, 'r', 3, { openedAt: 1, finishedAt: 2 })
    await store.remove('r')
    await store.writeHeader(headerOf('r', { threadId: 'u' }))
    assert.deepEqual(await store.readState('r'), {
      header: headerOf('r', { threadId: 'u' }),
      lastSeq: 0,
      bytes: 0,
      floor: 1,
      truncated: false,
    })
    await store.append('r', stepRow(1))
    assert.deepEqual(await seqsOf(store, 'r'), [1])
  })

  behaviour('is told true once, of many who remove at once', async ({ store }) => {
    await openLog(store, 'r', 3)
    const removals = await Promise.all(Array.from({ length: 5 }, () => store.remove('r')))
    assert.equal(removals.filter(Boolean).length, 1)
  })

  behaviour('leaves no row behind when rows are appended meanwhile', async ({ store }) => {
    for (let round = 0; round < 5; round += 1) {
      await openLog(store, 'r', 1)
      const appends = [2, 3, 4].map((seq) => store.append('r', stepRow(seq)))
      const [removed, ...settled] = await Promise.allSettled([store.remove('r'), ...appends])
      assert.deepEqual(removed, { status: 'fulfilled', value: true })
      for (const one of settled) {
        if (one.status === 'fulfilled') continue
        assert.ok(['AGENT_EVENT_LOG_NOT_OPEN', 'INVALID_INPUT'].includes(one.reason.code), one.reason)
      }
      assert.equal(await store.read('r'), undefined)
      await store.writeHeader(headerOf('r'))
      assert.deepEqual(await seqsOf(store, 'r'), [])
      await store.remove('r')
    }
  })

  behaviour(
    'removes from under another writer, who is then told that the log is not open',
    async ({ store, another }) => {
      const other = await another()
      await openLog(store, 'r', 70)
      await other.append('r', stepRow(71))
      assert.equal(await store.remove('r'), true)
      await assert.rejects(other.append('r', stepRow(72)), { code: 'AGENT_EVENT_LOG_NOT_OPEN' })
      assert.equal(await other.remove('r'), false)
      await store.writeHeader(headerOf('r'))
      await store.append('r', stepRow(1))
      assert.deepEqual(await seqsOf(other, 'r'), [1])
      await other.append('r', stepRow(2))
      const removals = await Promise.all([store.remove('r'), other.remove('r')])
      assert.equal(removals.filter(Boolean).length, 1)
    },
    'another',
  )
}
