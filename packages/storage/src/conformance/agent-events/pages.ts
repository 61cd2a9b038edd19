import assert from 'node:assert/strict'
import { openLog, seqsOf, step, stepRow } from './samples.ts'
import type { AgentEventBehaviour } from './store-under-test.ts'

export function pageBehaviour(behaviour: AgentEventBehaviour): void {
  behaviour('pages through the rows, whatever the limit', async ({ store }) => {
    await openLog(store, 'r', 130)
    for (const limit of [1, 7, 64, 65, 129, 130, 1000]) {
      const seqs: number[] = []
      let after: number | null = 0
      for (let pages = 0; after !== null; pages += 1) {
        assert.ok(pages <= 130 / limit)
        const page = await store.readPage('r', { after, limit })
        assert.ok(page.items.length <= limit)
        assert.equal(page.floor, 1)
        seqs.push(...page.items.map(({ seq }) => seq))
        after = page.next
      }
      assert.deepEqual(
        seqs,
        Array.from({ length: 130 }, (_, index) => index + 1),
      )
    }
    assert.equal((await store.readPage('r')).items.length, 100)
    assert.deepEqual((await store.readPage('r', { after: 129 })).items, [stepRow(130)])
    for (const after of [130, 131, Number.MAX_SAFE_INTEGER]) {
      assert.deepEqual(await store.readPage('r', { after }), { items: [], next: null, floor: 1 })
    }
  })

  behaviour('ends a page early where rows are large, with one row at least', async ({ store }) => {
    await openLog(store, 'r')
    const sizes = [3_000_000, 300_000, 700_000, 300_000, 1]
    for (const [index, size] of sizes.entries())
      await store.append('r', { seq: index + 1, event: step('x'.repeat(size)) })
    const pages: number[][] = []
    for (let after: number | null = 0; after !== null;) {
      const page = await store.readPage('r', { after, limit: 1000 })
      pages.push(page.items.map(({ seq }) => seq))
      after = page.next
    }
    assert.deepEqual(pages, [[1], [2, 3, 4], [5]])
    assert.deepEqual(await seqsOf(store, 'r'), [1, 2, 3, 4, 5])
  })

  behaviour('says with each page when the log was opened that its rows are of', async ({ store }) => {
    const openedAts: (number | undefined)[] = []
    for (const openedAt of [Number.MIN_SAFE_INTEGER, 7, undefined]) {
      await openLog(store, 'r', 1, { ...(openedAt !== undefined && { openedAt }) })
      for (const after of [0, 1]) openedAts.push((await store.readPage('r', { after })).openedAt)
      await store.remove('r')
      openedAts.push((await store.readPage('r')).openedAt)
    }
    const first = Number.MIN_SAFE_INTEGER
    assert.deepEqual(openedAts, [first, first, undefined, 7, 7, undefined, undefined, undefined, undefined])
  })

  behaviour('refuses a position and a limit that there are not', async ({ store }) => {
    await openLog(store, 'r', 1)
    for (const after of [-1, 0.5, NaN, Infinity]) {
      await assert.rejects(store.readPage('r', { after }), { code: 'INVALID_INPUT', field: 'after' })
    }
    for (const limit of [0, -1, 1.5, 1001]) {
      await assert.rejects(store.readPage('r', { limit }), { code: 'INVALID_INPUT', field: 'limit' })
    }
  })

  behaviour('trims to the floor, and goes on from the last row', async ({ store }) => {
    await openLog(store, 'r', 150)
    const before = (await store.readState('r'))!
    await store.trim('r', 101)
    assert.deepEqual(await store.readState('r'), { ...before, floor: 101 })
    const page = await store.readPage('r', { after: 3, limit: 10 })
    assert.deepEqual([page.items[0], page.next, page.floor], [stepRow(101), 110, 101])
    assert.deepEqual((await store.readPage('r', { after: 149 })).items, [stepRow(150)])
    await assert.rejects(store.append('r', stepRow(100)), { code: 'AGENT_EVENT_DUPLICATE_SEQ' })
    await store.append('r', stepRow(151))
    assert.equal((await seqsOf(store, 'r'))?.length, 51)
  })

  behaviour('trims all, and never gives back what is trimmed', async ({ store }) => {
    await openLog(store, 'r', 3)
    await store.claim('r', 1_000)
    await store.trim('r', 4)
    assert.deepEqual(await seqsOf(store, 'r'), [])
    assert.deepEqual(await store.readPage('r'), { items: [], next: null, floor: 4 })
    assert.equal(await store.maxSeq('r'), 3)
    await store.trim('r', 2)
    assert.equal((await store.readState('r'))?.floor, 4)
    assert.equal(await store.claim('r', 1_001), false)
    await store.append('r', stepRow(4))
    assert.deepEqual(await seqsOf(store, 'r'), [4])
  })

  behaviour('refuses a floor that there is not', async ({ store }) => {
    await openLog(store, 'r', 2)
    for (const floor of [0, -1, 1.5, NaN, 4]) {
      await assert.rejects(store.trim('r', floor), { code: 'INVALID_INPUT', field: 'floor' })
    }
    await assert.rejects(store.trim('none', 1), { code: 'AGENT_EVENT_LOG_NOT_OPEN', runId: 'none' })
    assert.deepEqual(await seqsOf(store, 'r'), [1, 2])
  })

  behaviour(
    'trims for the other writer too',
    async ({ store, another }) => {
      await openLog(store, 'r', 80)
      const other = await another()
      assert.equal((await seqsOf(other, 'r'))?.length, 80)
      await store.trim('r', 70)
      assert.deepEqual(await other.readState('r'), await store.readState('r'))
      await other.append('r', stepRow(81))
      assert.deepEqual(
        await seqsOf(store, 'r'),
        Array.from({ length: 12 }, (_, index) => index + 70),
      )
    },
    'another',
  )
}
