import assert from 'node:assert/strict'
import { AgentEventDuplicateSeqError } from '@daybook/core'
import { headerOf, openLog, seqsOf, step, stepRow } from './samples.ts'
import type { AgentEventBehaviour } from './store-under-test.ts'

export function appendBehaviour(behaviour: AgentEventBehaviour): void {
  behaviour('counts rows and bytes, and gives back each event as it was', async ({ store }) => {
    await openLog(store, 'r')
    assert.deepEqual(await store.readState('r'), {
      header: headerOf('r'),
      lastSeq: 0,
      bytes: 0,
      floor: 1,
      truncated: false,
    })
    const events = [{ type: 'RUN_STARTED', threadId: 't', runId: 'r' }, step('é🙂')]
    for (const [index, event] of events.entries()) await store.append('r', { seq: index + 1, event })
    const bytes = events.reduce((sum, event) => sum + Buffer.byteLength(JSON.stringify(event)), 0)
    assert.deepEqual(await store.readState('r'), {
      header: headerOf('r'),
      lastSeq: 2,
      bytes,
      floor: 1,
      truncated: false,
    })
    assert.equal(await store.maxSeq('r'), 2)
    assert.deepEqual(await store.read('r'), {
      header: headerOf('r'),
      rows: events.map((event, index) => ({ seq: index + 1, event })),
    })
  })

  behaviour('refuses a seq that a row has, and keeps that row', async ({ store }) => {
    await openLog(store, 'r', 2)
    for (const seq of [1, 2]) {
      await assert.rejects(store.append('r', { seq, event: step('other'), finishedAt: 9 }), (error) => {
        assert.ok(error instanceof AgentEventDuplicateSeqError)
        assert.deepEqual([error.code, error.runId, error.seq], ['AGENT_EVENT_DUPLICATE_SEQ', 'r', seq])
        return true
      })
    }
    assert.deepEqual((await store.read('r'))!.rows, [stepRow(1), stepRow(2)])
    assert.equal((await store.readHeader('r'))!.finishedAt, undefined)
  })

  behaviour('refuses a row for a run that was never opened, or is removed', async ({ store }) => {
    const notOpen = { code: 'AGENT_EVENT_LOG_NOT_OPEN', runId: 'r' }
    for (const seq of [1, 2]) await assert.rejects(store.append('r', stepRow(seq)), notOpen)
    assert.equal(await store.read('r'), undefined)
    await openLog(store, 'r', 1)
    await store.remove('r')
    for (const seq of [1, 2]) await assert.rejects(store.append('r', stepRow(seq)), notOpen)
    assert.equal(await store.read('r'), undefined)
    await openLog(store, 'r', 1)
    assert.deepEqual(await seqsOf(store, 'r'), [1])
  })

  behaviour('refuses a row that would leave a hole', async ({ store }) => {
    await openLog(store, 'r', 1)
    for (const seq of [3, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
      await assert.rejects(store.append('r', stepRow(seq)), { code: 'INVALID_INPUT', field: 'row.seq' })
    }
    await store.append('r', stepRow(2))
    assert.deepEqual(await seqsOf(store, 'r'), [1, 2])
  })

  behaviour('finishes the run with its terminal row, once', async ({ store }) => {
    await openLog(store, 'r', 1, { openedAt: 1_700_000_000_000 })
    await store.append('r', { seq: 2, event: { type: 'RUN_FINISHED' }, finishedAt: 10 })
    const finished = headerOf('r', { openedAt: 1_700_000_000_000, finishedAt: 10 })
    assert.deepEqual((await store.readState('r'))!.header, finished)
    await store.append('r', { seq: 3, event: { type: 'RUN_ERROR' }, finishedAt: 5 })
    assert.deepEqual(await store.readHeader('r'), finished)
  })

  behaviour('tells its own write by the write id', async ({ store }) => {
    await openLog(store, 'r')
    await store.append('r', stepRow(1, { writeId: 'mine' }))
    await store.append('r', stepRow(2))
    const ids = await Promise.all([1, 2, 3].map((seq) => store.readWriteId('r', seq)))
    assert.deepEqual(ids, ['mine', undefined, undefined])
    for (const seq of [0, -1, 0.5, NaN, '1' as never, 1n as never, undefined as never])
      await assert.rejects(store.readWriteId('r', seq), { code: 'INVALID_INPUT', field: 'seq' })
  })

  behaviour('lets one of many rows of the same seq win', async ({ store }) => {
    await openLog(store, 'r', 1)
    const rows = Array.from({ length: 10 }, (_, index) => stepRow(2, { writeId: `w${index}` }))
    const settled = await Promise.allSettled(rows.map((row) => store.append('r', row)))
    const winner = settled.findIndex(({ status }) => status === 'fulfilled')
    for (const [index, one] of settled.entries()) {
      if (one.status === 'rejected') assert.equal(one.reason.code, 'AGENT_EVENT_DUPLICATE_SEQ')
      else assert.equal(index, winner)
    }
    assert.equal(await store.readWriteId('r', 2), `w${winner}`)
    assert.deepEqual(await seqsOf(store, 'r'), [1, 2])
  })

  behaviour('keeps the rows of many runs apart', async ({ store }) => {
    const runIds = Array.from({ length: 8 }, (_, index) => `r${index}`)
    await Promise.all(runIds.map((runId) => store.writeHeader(headerOf(runId))))
    for (let seq = 1; seq <= 5; seq += 1) {
      await Promise.all(runIds.map((runId) => store.append(runId, { seq, event: step(`${runId} ${seq}`) })))
    }
    for (const runId of runIds) {
      const { rows } = (await store.read(runId))!
      assert.deepEqual(
        rows.map(({ event }) => event.stepName),
        [1, 2, 3, 4, 5].map((seq) => `${runId} ${seq}`),
      )
    }
  })

  behaviour(
    'lets two writers take turns, and one of two win a seq',
    async ({ store, another }) => {
      const other = await another()
      await openLog(store, 'r')
      for (let seq = 1; seq <= 20; seq += 1) {
        const writers = seq % 2 === 0 ? [store, other] : [other, store]
        const settled = await Promise.allSettled(writers.map((writer) => writer.append('r', stepRow(seq))))
        assert.deepEqual(settled.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
        for (const one of settled) {
          if (one.status === 'rejected') assert.equal(one.reason.code, 'AGENT_EVENT_DUPLICATE_SEQ')
        }
      }
      const expected = Array.from({ length: 20 }, (_, index) => index + 1)
      for (const reader of [store, other]) assert.deepEqual(await seqsOf(reader, 'r'), expected)
      assert.deepEqual(await store.readState('r'), await other.readState('r'))
    },
    'another',
  )
}
