import assert from 'node:assert/strict'
import type { AgentEventHeader, NewAgentEventRow } from '@daybook/core'
import { headerOf, openLog, seqsOf, stepRow } from './samples.ts'
import type { AgentEventBehaviour } from './store-under-test.ts'

const whole: AgentEventHeader = {
  runId: 'r',
  threadId: 'thread',
  tenant: 'tenant',
  gates: ['one', 'two'],
  userId: 'user',
  operatorId: 'operator',
  openedAt: 5,
  finishedAt: 3,
  parentRunId: 'parent',
  protocolVersion: '1.0',
}

export function headerBehaviour(behaviour: AgentEventBehaviour): void {
  behaviour('keeps all of a header, and nothing that it was not given', async ({ store }) => {
    await store.writeHeader(whole)
    assert.deepEqual(await store.readHeader('r'), whole)
    await store.writeHeader(headerOf('least'))
    assert.deepEqual(await store.readHeader('least'), headerOf('least'))
    const times = { openedAt: Number.MIN_SAFE_INTEGER, finishedAt: Number.MAX_SAFE_INTEGER }
    await store.writeHeader(headerOf('times', times))
    assert.deepEqual(await store.readHeader('times'), headerOf('times', times))
  })

  behaviour('knows nothing of a run that was never opened', async ({ store }) => {
    await openLog(store, 'other', 2)
    assert.equal(await store.readHeader('r'), undefined)
    assert.equal(await store.readState('r'), undefined)
    assert.equal(await store.read('r'), undefined)
    assert.deepEqual(await store.readPage('r'), { items: [], next: null, floor: 1 })
    assert.equal(await store.readWriteId('r', 1), undefined)
    assert.equal(await store.maxSeq('r'), 0)
    assert.equal(await store.truncated('r'), false)
  })

  behaviour('creates a log where there is none, and leaves one that is there as it is', async ({ store }) => {
    assert.equal(await store.createHeader(whole), true)
    await store.append('r', stepRow(1))
    assert.equal(await store.createHeader(headerOf('r', { threadId: 'u', openedAt: 99, gates: ['gate'] })), false)
    assert.deepEqual(await store.read('r'), { header: whole, rows: [stepRow(1)] })
    await store.remove('r')
    assert.equal(await store.createHeader(headerOf('r')), true)
    assert.deepEqual(await store.read('r'), { header: headerOf('r'), rows: [] })
  })

  behaviour(
    'lets one of many who create a log at once do so',
    async ({ store, another }) => {
      const other = await another()
      for (let round = 0; round < 5; round += 1) {
        const runId = `r${round}`
        const users = ['a', 'b', 'c', 'd']
        const created = await Promise.all(
          users.map((userId, index) => (index % 2 === 0 ? store : other).createHeader(headerOf(runId, { userId }))),
        )
        assert.equal(created.filter(Boolean).length, 1)
        assert.equal((await other.readHeader(runId))?.userId, users[created.indexOf(true)])
      }
    },
    'another',
  )

  behaviour('replaces a header, and keeps the rows, the claim and the times', async ({ store }) => {
    await openLog(store, 'r', 2, { openedAt: 10, userId: 'before' })
    await store.append('r', stepRow(3, { finishedAt: 20 }))
    assert.equal(await store.claim('r', 1_000), true)
    await store.writeHeader(headerOf('r', { threadId: 'u', openedAt: 99, finishedAt: 98, gates: ['gate'] }))
    assert.deepEqual(
      await store.readHeader('r'),
      headerOf('r', { threadId: 'u', openedAt: 10, finishedAt: 20, gates: ['gate'] }),
    )
    await store.writeHeader(headerOf('r'))
    assert.deepEqual(await store.readHeader('r'), headerOf('r', { openedAt: 10, finishedAt: 20 }))
    assert.deepEqual(await seqsOf(store, 'r'), [1, 2, 3])
    assert.equal(await store.claim('r', 1_001), false)
  })

  behaviour('takes the times that a header has where the one before had none', async ({ store }) => {
    await store.writeHeader(headerOf('r'))
    await store.writeHeader(headerOf('r', { openedAt: 7 }))
    await store.writeHeader(headerOf('r', { finishedAt: 6 }))
    assert.deepEqual(await store.readHeader('r'), headerOf('r', { openedAt: 7, finishedAt: 6 }))
  })

  behaviour('shares nothing with what it was given or gave', async ({ store }) => {
    const gates = ['a']
    const event = { type: 'CUSTOM', name: 'n', value: [1] }
    await store.writeHeader(headerOf('r', { gates }))
    await store.append('r', { seq: 1, event })
    gates.push('b')
    event.value.push(2)
    const read = (await store.read('r'))!
    ;(read.header.gates as string[]).push('c')
    ;(read.rows[0]!.event.value as number[]).push(3)
    assert.deepEqual(await store.readHeader('r'), headerOf('r', { gates: ['a'] }))
    assert.deepEqual((await store.read('r'))!.rows[0]!.event, { type: 'CUSTOM', name: 'n', value: [1] })
    const [listed] = (await store.listRuns({ finished: false, until: 0 })).items
    ;(listed!.gates as string[]).push('d')
    assert.deepEqual((await store.readState('r'))!.header.gates, ['a'])
  })

  behaviour('can be wrapped by spreading it', async ({ store }) => {
    const wrapped = { ...store, append: (runId: string, row: NewAgentEventRow) => store.append(runId, row) }
    await wrapped.writeHeader(headerOf('r'))
    await wrapped.append('r', stepRow(1))
    assert.deepEqual(await wrapped.read('r'), await store.read('r'))
  })

  behaviour(
    'keeps all for who opens the logs later',
    async ({ store, another }) => {
      await store.writeHeader(whole)
      await store.append('r', stepRow(1, { writeId: 'w' }))
      const state = await store.readState('r')
      const later = await another()
      assert.deepEqual(await later.readState('r'), state)
      assert.deepEqual(await later.read('r'), await store.read('r'))
      assert.equal(await later.readWriteId('r', 1), 'w')
    },
    'another',
  )
}
