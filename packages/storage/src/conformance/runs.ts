import assert from 'node:assert/strict'
import type { OpenRunRequest, RunOwner } from '@daybook/core'
import {
  anOwner,
  append,
  idsOf,
  openedEvent,
  openRequest,
  openRun,
  sessionRecord,
  terminalEvent,
  textEvent,
  wholeRun,
} from './samples.ts'
import type { Behaviour } from './storage-under-test.ts'

const otherOwner: RunOwner = { bootId: null, pidNamespace: null, pid: 1, processStartedAt: null }

export function runBehaviour(behaviour: Behaviour): void {
  behaviour('opens the run and writes its first events together', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    const events = [openedEvent(ids, 77), textEvent(ids, 'question')] as const
    const run = await openRun(storage, ids, { events: [...events], exclusive: false, inputDigest: 'ab'.repeat(32) })
    assert.deepEqual(run, {
      ...ids,
      source: { kind: 'fresh' },
      parentInvocationId: null,
      exclusive: false,
      inputDigest: 'ab'.repeat(32),
      openedAt: 77,
      finishedAt: null,
      state: 'running',
      owner: anOwner,
      epoch: 1,
      leaseExpiresAt: null,
      stopRequest: null,
    })
    assert.deepEqual(await storage.runs.readRun(ids.runId), run)
    const stored = await storage.events.readSessionRuntimeEvents('s')
    assert.deepEqual(
      stored.map(({ event, eventSeq, sessionSeq }) => ({ event, eventSeq, sessionSeq })),
      [
        { event: events[0], eventSeq: 1, sessionSeq: 1 },
        { event: events[1], eventSeq: 2, sessionSeq: 2 },
      ],
    )
  })

  behaviour('keeps the source and the parent that the opening names', async ({ storage }) => {
    const [first, second] = [idsOf('s', 'i'), idsOf('s', 'j')]
    await openRun(storage, first)
    const opening = openedEvent(second, 1, { kind: 'retry', supersedes: 'i' })
    const content = { ...opening.content!, lineage: { parentInvocationId: 'i', parentToolCallId: 'call' } }
    const run = await openRun(storage, second, { exclusive: false, events: [{ ...opening, content }] })
    assert.deepEqual([run.source, run.parentInvocationId], [{ kind: 'retry', supersedes: 'i' }, 'i'])
    assert.deepEqual(await storage.runs.readRun(second.runId), run)
  })

  behaviour('refuses a run of a session that does not exist', async ({ storage }) => {
    const ids = idsOf('nowhere', 'i')
    await assert.rejects(storage.runs.openRun(openRequest(ids)), { code: 'SESSION_NOT_FOUND', sessionId: 'nowhere' })
    assert.equal(await storage.runs.readRun(ids.runId), undefined)
  })

  behaviour('refuses a turn id that is used, and says with which run, state and input', async ({ storage }) => {
    const ids = idsOf('s', 'i', 'turn')
    await openRun(storage, ids, { inputDigest: 'aa'.repeat(32) })
    const repeat = idsOf('s', 'j', 'turn')
    const expected = { code: 'TURN_EXISTS', sessionId: 's', turnId: 'turn', runId: ids.runId }
    await assert.rejects(openRun(storage, repeat, { inputDigest: 'aa'.repeat(32) }), {
      ...expected,
      state: 'running',
      sameInput: true,
    })
    await append(storage, ids, [terminalEvent(ids, 'failed')])
    await assert.rejects(openRun(storage, repeat, { inputDigest: 'bb'.repeat(32) }), {
      ...expected,
      state: 'failed',
      sameInput: false,
    })
    assert.equal((await storage.events.readSessionRuntimeEvents('s')).length, 2)
  })

  behaviour('lets a retry take the turn of the run that it supersedes', async ({ storage }) => {
    const [first, second] = [idsOf('s', 'i', 'turn'), idsOf('s', 'j', 'turn')]
    await wholeRun(storage, first)
    await openRun(storage, second, { events: [openedEvent(second, 1, { kind: 'retry', supersedes: 'i' })] })
    await assert.rejects(openRun(storage, idsOf('s', 'k', 'turn')), { code: 'TURN_EXISTS', runId: first.runId })
  })

  behaviour('lets two sessions use the same turn and event ids', async ({ storage }) => {
    const [first, second] = [idsOf('s', 'i', 'turn'), idsOf('t', 'j', 'turn')]
    await wholeRun(storage, first)
    await wholeRun(storage, second)
    assert.equal((await storage.events.verifyStore()).ok, true)
  })

  behaviour('refuses a run or invocation id that is used, in any session', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await wholeRun(storage, ids)
    const other = idsOf('t', 'j')
    await assert.rejects(openRun(storage, { ...other, runId: ids.runId }), { code: 'RUN_EXISTS', runId: ids.runId })
    await assert.rejects(openRun(storage, { ...other, invocationId: 'i' }), { code: 'RUN_EXISTS', runId: 'i' })
    assert.deepEqual(await storage.events.readSessionRuntimeEvents('t'), [])
    assert.equal(await storage.runs.readRun(other.runId), undefined)
  })

  behaviour('keeps one exclusive run at a time, and any number of others beside it', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, idsOf('s', 'beside'), { exclusive: false })
    assert.equal(await storage.runs.readActiveRun('s'), undefined)
    const run = await openRun(storage, ids)
    await openRun(storage, idsOf('s', 'beside too'), { exclusive: false })
    assert.deepEqual(await storage.runs.readActiveRun('s'), run)
    await assert.rejects(openRun(storage, idsOf('s', 'j')), {
      code: 'SESSION_BUSY',
      sessionId: 's',
      runId: ids.runId,
      turnId: ids.turnId,
    })
    await openRun(storage, idsOf('t', 'k'))
    await append(storage, ids, [terminalEvent(ids)])
    assert.equal(await storage.runs.readActiveRun('s'), undefined)
    await openRun(storage, idsOf('s', 'j'))
  })

  behaviour('opens one of many exclusive runs that are asked for at once', async ({ storage }) => {
    await storage.sessions.create(sessionRecord('s'))
    const asked = Array.from({ length: 10 }, (_, index) => storage.runs.openRun(openRequest(idsOf('s', `i${index}`))))
    const settled = await Promise.allSettled(asked)
    assert.equal(settled.filter((one) => one.status === 'fulfilled').length, 1)
    for (const one of settled) if (one.status === 'rejected') assert.equal(one.reason.code, 'SESSION_BUSY')
    assert.equal((await storage.events.readSessionRuntimeEvents('s')).length, 1)
  })

  behaviour('names the used turn before the used run, and both before the busy session', async ({ storage }) => {
    const ids = idsOf('s', 'i', 'turn')
    await openRun(storage, ids)
    await assert.rejects(openRun(storage, ids), { code: 'TURN_EXISTS' })
    await assert.rejects(openRun(storage, idsOf('s', 'i', 'other turn')), { code: 'RUN_EXISTS' })
  })

  behaviour('refuses first events that do not open this run', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await storage.sessions.create(sessionRecord('s'))
    const otherRun = idsOf('s', 'other')
    const refused: Record<string, OpenRunRequest['events']> = {
      'no opening': [textEvent(ids, 'text')],
      'two openings': [openedEvent(ids), { ...openedEvent(ids), id: 'again' }],
      'the opening of another': [openedEvent(otherRun)],
      'a text of another': [openedEvent(ids), textEvent(otherRun, 'text')],
    }
    for (const [name, events] of Object.entries(refused)) {
      await assert.rejects(storage.runs.openRun(openRequest(ids, { events })), { code: 'INVALID_EVENT' }, name)
    }
    assert.deepEqual(await storage.events.readSessionRuntimeEvents('s'), [])
    await openRun(storage, ids)
  })

  behaviour('finishes the run with its terminal event, in the state that it names', async ({ storage }) => {
    for (const status of ['completed', 'failed', 'aborted', 'cancelled', 'waiting'] as const) {
      const ids = idsOf('s', status)
      await openRun(storage, ids)
      await append(storage, ids, [terminalEvent(ids, status)])
      const run = await storage.runs.readRun(ids.runId)
      assert.equal(run?.state, status)
      assert.equal(typeof run?.finishedAt, 'number')
    }
  })

  behaviour('hands a run over: the next epoch is the new owner’s, the old one appends nothing', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    const run = await openRun(storage, ids)
    const claim = { runId: ids.runId, expectedEpoch: 1, owner: otherOwner, ownerIsGone: true }
    const claimed = await storage.runs.claimRun(claim)
    assert.deepEqual(claimed, { ...run, owner: otherOwner, epoch: 2 })
    assert.deepEqual(await storage.runs.readRun(ids.runId), claimed)
    const stale = { code: 'STALE_OWNER', runId: ids.runId, epoch: 1, currentEpoch: 2 }
    await assert.rejects(append(storage, ids, [textEvent(ids, 'late')], 1), stale)
    await assert.rejects(storage.runs.claimRun(claim), stale)
    await append(storage, ids, [terminalEvent(ids, 'failed')], 2)
    assert.deepEqual(
      (await storage.events.readSessionRuntimeEvents('s')).map(({ event }) => event.id),
      ['opened', 'ended'],
    )
  })

  behaviour('lets one of many claims at once succeed', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    const claims = Array.from({ length: 10 }, (_, pid) =>
      storage.runs.claimRun({
        runId: ids.runId,
        expectedEpoch: 1,
        owner: { ...otherOwner, pid: pid + 1 },
        ownerIsGone: true,
      }),
    )
    const settled = await Promise.allSettled(claims)
    assert.equal(settled.filter((one) => one.status === 'fulfilled').length, 1)
    assert.equal((await storage.runs.readRun(ids.runId))?.epoch, 2)
  })

  behaviour('refuses to claim what does not exist or has ended', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await wholeRun(storage, ids)
    await assert.rejects(storage.runs.claimRun({ runId: ids.runId, expectedEpoch: 1, owner: anOwner }), {
      code: 'RUN_SEALED',
      runId: ids.runId,
    })
    await assert.rejects(storage.runs.claimRun({ runId: 'none', expectedEpoch: 1, owner: anOwner }), {
      code: 'RUN_NOT_FOUND',
      runId: 'none',
    })
  })

  behaviour(
    'finds runs and owners after it is opened again',
    async ({ storage, reopen }) => {
      const ids = idsOf('s', 'i')
      const run = await openRun(storage, ids)
      const reopened = await reopen()
      assert.deepEqual(await reopened.runs.readActiveRun('s'), run)
      await assert.rejects(openRun(reopened, idsOf('s', 'j')), { code: 'SESSION_BUSY' })
      await append(reopened, ids, [terminalEvent(ids)])
    },
    'reopen',
  )
}
