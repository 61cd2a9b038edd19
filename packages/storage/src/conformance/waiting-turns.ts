import assert from 'node:assert/strict'
import type { RequestState } from '@daybook/core'
import type { RuntimeEvent, TerminalStatus } from '@daybook/core/canonical-runtime-event'
import {
  assertStates,
  continuationEvent,
  continuing,
  everyone,
  openIds,
  subAgentEvent,
  waitingRun,
} from './request-samples.ts'
import {
  answerEvent,
  append,
  askEvent,
  foreignRow,
  idsOf,
  openedEvent,
  openRequest,
  openRun,
  terminalEvent,
  textEvent,
} from './samples.ts'
import type { Behaviour } from './storage-under-test.ts'

export function waitingTurnBehaviour(behaviour: Behaviour): void {
  behaviour('the end of a turn closes what it asked, unless it waits', async ({ storage }) => {
    for (const status of ['waiting', 'completed', 'failed', 'aborted', 'cancelled'] as const) {
      const [ids, beside] = [idsOf(status, `i ${status}`), idsOf(status, `j ${status}`)]
      await openRun(storage, beside, { exclusive: false })
      await openRun(storage, ids)
      await append(storage, beside, [askEvent(beside, 'beside')])
      await append(storage, ids, [askEvent(ids, 'r'), askEvent(ids, 'answered')])
      await append(storage, ids, [answerEvent(ids, 'answered'), terminalEvent(ids, status)])
      const left: RequestState = status === 'waiting' ? 'open' : 'unanswered'
      await assertStates(storage, status, { beside: 'open', r: left, answered: 'approved' })
    }
    const late = storage.events.appendAnswers({
      invocationId: 'i waiting',
      events: [answerEvent(idsOf('waiting', 'i waiting'), 'r')],
    })
    await assert.rejects(late, { code: 'RUN_SEALED' })
  })

  behaviour('the next turn, or attempt, passes by what waits, and spares sub-agents', async ({ storage }) => {
    for (const kind of ['fresh', 'retry'] as const) {
      const [ids, agent, next] = [idsOf(kind, `i ${kind}`), idsOf(kind, `a ${kind}`), idsOf(kind, `n ${kind}`)]
      await openRun(storage, ids)
      await openRun(storage, agent, { exclusive: false, events: [subAgentEvent(agent, ids)] })
      await append(storage, agent, [askEvent(agent, 'of sub-agent')])
      await append(storage, ids, [askEvent(ids, 'r'), terminalEvent(ids, 'waiting')])
      await assertStates(storage, kind, { 'of sub-agent': 'open', r: 'open' })
      const source = kind === 'fresh' ? { kind } : { kind, supersedes: ids.invocationId }
      const turn = kind === 'fresh' ? next : { ...next, turnId: ids.turnId }
      await openRun(storage, turn, { events: [openedEvent(turn, 1, source)] })
      await assertStates(storage, kind, { 'of sub-agent': 'open', r: 'unanswered' })
    }
  })

  behaviour('the opening of a sub-agent, or of a continuation, closes nothing', async ({ storage }) => {
    const [ids, agent] = [idsOf('s', 'i'), idsOf('s', 'a')]
    await waitingRun(storage, ids, ['r'])
    await openRun(storage, agent, { exclusive: false, events: [subAgentEvent(agent, ids)] })
    await openRun(storage, continuing(ids, 'j'), { events: [continuationEvent(ids, 'j')] })
    await assertStates(storage, 's', { r: 'open' })
  })

  behaviour('answers come with a continuation, all or none of it', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await waitingRun(storage, ids, ['a', 'b'])
    const next = continuing(ids, 'j')
    const open = (...answers: RuntimeEvent[]) =>
      storage.runs.openRun(openRequest(next, { events: [continuationEvent(ids, 'j'), ...answers] }))
    const changed = answerEvent(next, 'b', { requestDigest: '0'.repeat(64) })
    await assert.rejects(open(answerEvent(next, 'a'), changed), { code: 'REQUEST_CHANGED' })
    await assert.rejects(open(answerEvent(next, 'none')), { code: 'REQUEST_NOT_FOUND' })
    assert.equal(await storage.runs.readRun(next.runId), undefined)
    assert.equal(await storage.runs.readRunOfInvocation('j'), undefined)
    await assertStates(storage, 's', { a: 'open', b: 'open' })
    const run = await open(answerEvent(next, 'a'), answerEvent(next, 'b', { outcome: 'denied' }))
    assert.deepEqual([run.state, run.finishedAt, run.source], ['running', null, { kind: 'continuation', of: 'i' }])
    assert.deepEqual(await storage.runs.readRunOfInvocation('j'), run)
    await assertStates(storage, 's', { a: 'approved', b: 'denied' })
  })

  behaviour('a terminal event that comes with the opening ends the run at once', async ({ storage, clock }) => {
    const ids = idsOf('s', 'i')
    await waitingRun(storage, ids, ['a', 'b'])
    clock.holdAt(7_000)
    let last = ids
    for (const [requestId, status] of [
      ['a', 'waiting'],
      ['b', 'aborted'],
    ] as const) {
      const next = continuing(ids, `answers ${requestId}`)
      const events = [continuationEvent(last, next.invocationId, next), answerEvent(next, requestId)] as const
      const run = await openRun(storage, next, { events: [...events, terminalEvent(next, status)] })
      assert.deepEqual([run.state, run.finishedAt], [status, 7_000])
      assert.deepEqual(await storage.runs.readRun(next.runId), run)
      assert.equal(await storage.runs.readActiveRun('s'), undefined)
      await assert.rejects(append(storage, next, [textEvent(next, 'late')]), { code: 'RUN_SEALED' })
      last = next
    }
    await assertStates(storage, 's', { a: 'approved', b: 'approved' })
    assert.deepEqual((await storage.runs.listUnfinishedRuns()).items, [])
    assert.deepEqual(
      (await storage.runs.listTurnRuns('s', ids.turnId)).map(({ invocationId }) => invocationId),
      ['i', 'answers a', 'answers b'],
    )
    assert.equal((await storage.runs.readNewestRun('s'))?.invocationId, 'answers b')
  })

  behaviour('goes on from the newest invocation, and tries the newest turn again, only', async ({ storage }) => {
    const [first, second] = [idsOf('s', 'i'), idsOf('s', 'j')]
    await waitingRun(storage, first, ['a'])
    await waitingRun(storage, second, ['b'])
    await openRun(storage, idsOf('s', 'beside'), { exclusive: false })
    const notNewest = { code: 'TURN_NOT_NEWEST', turnId: first.turnId, newestTurnId: second.turnId }
    const next = continuing(first, 'n')
    const open = (event: RuntimeEvent) => openRun(storage, next, { events: [event] })
    await assert.rejects(open(continuationEvent(first, 'n')), notNewest)
    await assert.rejects(open(openedEvent(next, 1, { kind: 'retry', supersedes: 'i' })), notNewest)
    assert.equal((await storage.runs.readNewestRun('s'))?.invocationId, 'j')
    const again = continuing(second, 'n')
    await openRun(storage, again, { events: [openedEvent(again, 1, { kind: 'retry', supersedes: 'j' })] })
    assert.equal((await storage.runs.readNewestRun('s'))?.invocationId, 'n')
    assert.equal(await storage.runs.readNewestRun('t'), undefined)
    assert.deepEqual(await storage.runs.listTurnRuns('s', 'turn of beside'), [])
  })

  behaviour(
    'a foreign end closes what the turn asked, a foreign opening what waits, and stragglers nothing',
    async ({ storage, insertForeignRows }) => {
      for (const [status, left] of [
        ['failed', 'unanswered'],
        ['waiting', 'open'],
      ] as const satisfies readonly (readonly [TerminalStatus, RequestState])[]) {
        const ids = idsOf(status, `i ${status}`)
        await openRun(storage, ids)
        await append(storage, ids, [askEvent(ids, 'r')])
        await insertForeignRows([foreignRow(terminalEvent(ids, status), 3)])
        await assertStates(storage, status, { r: left })
      }
      const [ids, foreign, agent] = [idsOf('waiting', 'i waiting'), idsOf('waiting', 'f'), idsOf('waiting', 'g')]
      await insertForeignRows([foreignRow(terminalEvent(ids, 'failed', 'straggler'), 4)])
      await insertForeignRows([foreignRow(subAgentEvent(agent, ids), 1)])
      await insertForeignRows([foreignRow(continuationEvent(ids, 'h'), 1)])
      await assertStates(storage, 'waiting', { r: 'open' })
      await insertForeignRows([foreignRow(openedEvent(foreign), 1)])
      await assertStates(storage, 'waiting', { r: 'unanswered' })
      assert.deepEqual((await storage.events.verifyStore()).problems, [])
    },
    'insertForeignRows',
  )

  behaviour(
    'what a foreign row asks and answers is not in the index',
    async ({ storage, insertForeignRows }) => {
      const ids = idsOf('s', 'i')
      await openRun(storage, ids)
      await append(storage, ids, [askEvent(ids, 'own')])
      await insertForeignRows([foreignRow(askEvent(ids, 'foreign'), 3), foreignRow(answerEvent(ids, 'own'), 4)])
      assert.deepEqual(await openIds(storage), ['own'])
      assert.equal(await storage.events.readRequest('s', 'foreign', everyone), undefined)
      const answering = append(storage, ids, [answerEvent(ids, 'foreign')])
      await assert.rejects(answering, { code: 'REQUEST_NOT_FOUND' })
      const alone = idsOf('s', 'f')
      await insertForeignRows([foreignRow(openedEvent(alone), 1)])
      const events = [answerEvent(alone, 'own')]
      await assert.rejects(storage.events.appendAnswers({ invocationId: 'f', events }), { code: 'RUN_NOT_FOUND' })
      assert.deepEqual((await storage.events.verifyStore()).problems, [])
    },
    'insertForeignRows',
  )
}
