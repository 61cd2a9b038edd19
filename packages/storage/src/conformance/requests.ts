import assert from 'node:assert/strict'
import { type OpenedStorage, type RequestCursor, type RequestState, requestsFromSessionEvents } from '@daybook/core'
import type { AnswerAction, RequestAction, RuntimeEvent, TerminalStatus } from '@daybook/core/canonical-runtime-event'
import { sha256 } from '../sha256.ts'
import {
  anOwner,
  answerEvent,
  append,
  askEvent,
  digestOf,
  factEvent,
  foreignRow,
  idsOf,
  lookalikeIds,
  openedEvent,
  openRequest,
  openRun,
  type RunIds,
  sessionRecord,
  terminalEvent,
  textEvent,
} from './samples.ts'
import type { Behaviour } from './storage-under-test.ts'

const everyone = { tenant: null }

export function requestBehaviour(behaviour: Behaviour): void {
  behaviour('tells what was asked, by its id and by its turn', async ({ storage, clock }) => {
    const ids = idsOf('s', 'i')
    clock.holdAt(1_000)
    const asking = askEvent(ids, 'r', { toolCallId: 'call', wait: 'live', expiresInMs: 50 })
    await openRun(storage, ids)
    await append(storage, ids, [asking, askEvent(ids, 'q', { kind: 'user_question' })])
    const { sessionId, invocationId, runId, turnId } = ids
    const common = { sessionId, invocationId, runId, turnId, requestedAt: 1_000, state: 'open', answer: null }
    const first = {
      ...common,
      requestId: 'r',
      kind: 'sandbox_boundary',
      toolCallId: 'call',
      payload: { run: 'r' },
      digest: digestOf(asking.actions!.request!),
      wait: 'live',
      expiresAt: 1_050,
    }
    const digest = digestOf(askEvent(ids, 'q', { kind: 'user_question' }).actions!.request!)
    const second = { ...first, requestId: 'q', kind: 'user_question', toolCallId: null, payload: { run: 'q' } }
    const asked = [first, { ...second, digest, wait: 'later', expiresAt: null }]
    assert.deepEqual(await storage.events.listTurnRequests('s', turnId), asked)
    assert.deepEqual(await storage.events.readRequest('s', 'r', everyone), first)
    assert.deepEqual(await openIds(storage), ['q', 'r'])
    assert.deepEqual(await storage.events.listTurnRequests('s', 'another turn'), [])
    assert.equal(await storage.events.readRequest('s', 'none', everyone), undefined)
    await assertRebuilt(storage, 's')
  })

  behaviour('refuses to ask twice under one id, and takes the same event again', async ({ storage }) => {
    const [ids, next] = [idsOf('s', 'i'), idsOf('s', 'j')]
    await openRun(storage, ids)
    await append(storage, ids, [askEvent(ids, 'r')])
    const used = { code: 'INVALID_EVENT', path: '/actions/request/requestId' }
    const other = { ...askEvent(ids, 'r'), id: 'asks again' }
    await assert.rejects(append(storage, ids, [other]), used)
    await assert.rejects(append(storage, ids, [askEvent(ids, 'new'), other]), used)
    await assert.rejects(append(storage, ids, [askEvent(ids, 'two'), { ...askEvent(ids, 'two'), id: 'b' }]), used)
    for (const events of [[askEvent(ids, 'r')], [askEvent(ids, 'r'), textEvent(ids, 'text')]]) {
      assert.deepEqual((await append(storage, ids, events))[0], {
        eventId: 'asks r',
        eventSeq: 2,
        sessionSeq: 2,
        duplicate: true,
      })
    }
    await append(storage, ids, [terminalEvent(ids)])
    const again = openRequest(next, { events: [openedEvent(next), askEvent(next, 'r')] })
    await assert.rejects(storage.runs.openRun(again), used)
    assert.equal(await storage.runs.readRun(next.runId), undefined)
    const elsewhere = idsOf('t', 'k')
    await openRun(storage, elsewhere)
    await append(storage, elsewhere, [askEvent(elsewhere, 'r')])
    await assertRebuilt(storage, 's')
  })

  behaviour('closes a request with its answer, and keeps who said what', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    const question: Partial<RequestAction> = { kind: 'user_question' }
    await append(storage, ids, [askEvent(ids, 'a'), askEvent(ids, 'b'), askEvent(ids, 'c', question)])
    const requestDigest = digestOf(askEvent(ids, 'c', question).actions!.request!)
    const answers = [
      answerEvent(ids, 'a', { args: { run: 'less' }, by: 'somebody' }),
      answerEvent(ids, 'b', { outcome: 'denied', reason: 'no' }),
      answerEvent(ids, 'c', { outcome: 'answered', answer: 42, requestDigest }),
    ]
    const [first, ...others] = answers as [RuntimeEvent, ...RuntimeEvent[]]
    await append(storage, ids, [first])
    const appended = await storage.events.appendAnswers({ invocationId: 'i', events: others })
    assert.deepEqual(
      appended.map(({ eventSeq, sessionSeq, duplicate }) => [eventSeq, sessionSeq, duplicate]),
      [
        [6, 6, false],
        [7, 7, false],
      ],
    )
    const closed = await storage.events.listTurnRequests('s', ids.turnId)
    assert.deepEqual(
      closed.map(({ state, answer }) => [state, answer]),
      answers.map(({ actions }) => [actions?.answer?.outcome, actions?.answer]),
    )
    assert.deepEqual(await openIds(storage), [])
    await assertRebuilt(storage, 's')
  })

  behaviour('takes the same answer event again, and says that another one is late', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    await append(storage, ids, [askEvent(ids, 'r')])
    const answer = answerEvent(ids, 'r', { by: 'somebody' })
    const [first] = await append(storage, ids, [answer])
    assert.deepEqual(await append(storage, ids, [answer]), [{ ...first, duplicate: true }])
    const again = await storage.events.appendAnswers({ invocationId: 'i', events: [answer] })
    assert.deepEqual(again, [{ ...first, duplicate: true }])
    const late = (changes: Partial<AnswerAction>) =>
      storage.events.appendAnswers({ invocationId: 'i', events: [answerEvent(ids, 'r', changes, 'late')] })
    const closed = { code: 'REQUEST_CLOSED', requestId: 'r', state: 'approved' }
    await assert.rejects(late({ by: 'another' }), { ...closed, sameAnswer: true })
    await assert.rejects(late({ outcome: 'denied' }), { ...closed, sameAnswer: false })
    await append(storage, ids, [terminalEvent(ids)])
    assert.deepEqual(await append(storage, ids, [answer]), [{ ...first, duplicate: true }])
    await assertRebuilt(storage, 's')
  })

  behaviour('refuses answers to what was not asked, was shown otherwise or is another kind', async ({ storage }) => {
    const [ids, elsewhere] = [idsOf('s', 'i'), idsOf('t', 'k')]
    for (const run of [ids, elsewhere]) await openRun(storage, run)
    const question = askEvent(ids, 'q', { kind: 'user_question' })
    await append(storage, ids, [askEvent(ids, 'r'), question])
    await append(storage, elsewhere, [askEvent(elsewhere, 'of another session')])
    const ofQuestion = { requestDigest: digestOf(question.actions!.request!) }
    const outcome = { code: 'INVALID_EVENT', path: '/actions/answer/outcome' }
    const refused: [RuntimeEvent[], object][] = [
      [[answerEvent(ids, 'none')], { code: 'REQUEST_NOT_FOUND', requestId: 'none', sessionId: 's' }],
      [[answerEvent(ids, 'of another session')], { code: 'REQUEST_NOT_FOUND', sessionId: 's' }],
      [[askEvent(ids, 'n'), answerEvent(ids, 'n')], { code: 'REQUEST_NOT_FOUND', requestId: 'n' }],
      [
        [answerEvent(ids, 'r', { requestDigest: '0'.repeat(64) })],
        { code: 'REQUEST_CHANGED', requestId: 'r', digest: digestOf(askEvent(ids, 'r').actions!.request!) },
      ],
      [[answerEvent(ids, 'r', { outcome: 'answered' })], outcome],
      [[answerEvent(ids, 'q', { outcome: 'approved', ...ofQuestion })], outcome],
      [[answerEvent(ids, 'r', { outcome: 'expired' })], outcome],
      [
        [answerEvent(ids, 'r', {}, 'one'), answerEvent(ids, 'r', { outcome: 'denied' }, 'two')],
        { code: 'REQUEST_CLOSED', requestId: 'r', state: 'approved', sameAnswer: false },
      ],
    ]
    for (const [events, error] of refused) await assert.rejects(append(storage, ids, events), error)
    assert.deepEqual(await openIds(storage, 's'), ['q', 'r'])
    assert.equal((await storage.events.readSessionRuntimeEvents('s')).length, 3)
    await append(storage, ids, [answerEvent(ids, 'q', { outcome: 'denied', ...ofQuestion })])
    await assertRebuilt(storage, 's')
  })

  behaviour('takes no answer once the time is over, and then only that it is', async ({ storage, clock }) => {
    const ids = idsOf('s', 'i')
    clock.holdAt(1_000)
    await openRun(storage, ids)
    await append(storage, ids, [askEvent(ids, 'r', { expiresInMs: 100 })])
    clock.holdAt(1_099)
    assert.deepEqual(await openIds(storage), ['r'])
    clock.holdAt(1_100)
    assert.deepEqual(await openIds(storage), [])
    assert.equal((await storage.events.readRequest('s', 'r', everyone))?.state, 'open')
    const late = append(storage, ids, [answerEvent(ids, 'r')])
    await assert.rejects(late, { code: 'REQUEST_EXPIRED', requestId: 'r', expiredAt: 1_100 })
    await append(storage, ids, [answerEvent(ids, 'r', { outcome: 'expired' })])
    assert.equal((await storage.events.readRequest('s', 'r', everyone))?.state, 'expired')
    await assertRebuilt(storage, 's')
  })

  behaviour('a backend’s word that it has an answer closes what is open, and nothing else', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    await append(storage, ids, [askEvent(ids, 'a'), askEvent(ids, 'b'), askEvent(ids, 'c')])
    await append(storage, ids, [answerEvent(ids, 'c')])
    await append(storage, ids, [
      factEvent(ids, '1', { answerAck: { requestId: 'a', decision: 'denied' } }),
      factEvent(ids, '2', { answerAck: { requestId: 'b' } }),
      factEvent(ids, '3', { answerAck: { requestId: 'c', decision: 'denied' } }),
      factEvent(ids, '4', { answerAck: { requestId: 'none' } }),
    ])
    await assertStates(storage, 's', { a: 'denied', b: 'answered', c: 'approved' })
    assert.equal((await storage.events.readRequest('s', 'a', everyone))?.answer, null)
    const late = append(storage, ids, [answerEvent(ids, 'a')])
    await assert.rejects(late, { code: 'REQUEST_CLOSED', state: 'denied', sameAnswer: false })
  })

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

  behaviour('takes answers, and nothing else, under whatever epoch the run has', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    await append(storage, ids, [askEvent(ids, 'r')])
    await storage.runs.claimRun({ runId: ids.runId, expectedEpoch: 1, owner: anOwner, ownerIsGone: true })
    const answer = answerEvent(ids, 'r')
    const refused: RuntimeEvent[] = [
      textEvent(ids, 'text'),
      terminalEvent(ids),
      askEvent(ids, 'other'),
      factEvent(ids, 'ack', { answerAck: { requestId: 'r' } }),
      { ...answer, status: 'completed' },
      { ...answer, actions: { ...answer.actions, endInvocation: true } },
      { ...answer, content: { kind: 'text', text: 'more' } },
      { ...answer, actions: { ...answer.actions, request: askEvent(ids, 'other').actions!.request! } },
    ]
    for (const event of refused) {
      const events = [answer, event]
      await assert.rejects(storage.events.appendAnswers({ invocationId: 'i', events }), { code: 'INVALID_EVENT' })
    }
    await assert.rejects(
      storage.events.appendAnswers({ invocationId: 'none', events: [{ ...answer, invocationId: 'none' }] }),
      {
        code: 'RUN_NOT_FOUND',
      },
    )
    await assertStates(storage, 's', { r: 'open' })
    await storage.events.appendAnswers({ invocationId: 'i', events: [answer] })
    await append(storage, ids, [terminalEvent(ids)], 2)
    const late = answerEvent(ids, 'r', {}, 'late')
    await assert.rejects(storage.events.appendAnswers({ invocationId: 'i', events: [late] }), { code: 'RUN_SEALED' })
    await assertStates(storage, 's', { r: 'approved' })
  })

  behaviour('takes one of many answers that come at once', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    await append(storage, ids, [askEvent(ids, 'r')])
    const answers = Array.from({ length: 10 }, (_, index) =>
      storage.events.appendAnswers({
        invocationId: 'i',
        events: [answerEvent(ids, 'r', { outcome: index % 2 === 0 ? 'approved' : 'denied' }, `answer ${index}`)],
      }),
    )
    const settled = await Promise.allSettled(answers)
    assert.equal(settled.filter((one) => one.status === 'fulfilled').length, 1)
    for (const one of settled) if (one.status === 'rejected') assert.equal(one.reason.code, 'REQUEST_CLOSED')
    assert.equal((await storage.events.readSessionRuntimeEvents('s')).length, 3)
    await assertRebuilt(storage, 's')
  })

  behaviour('lists what is open page by page, oldest first, then by code point', async ({ storage, clock }) => {
    const runs = lookalikeIds.flat().map((id) => ({ ...idsOf(id, id), turnId: id }))
    for (const [index, ids] of runs.entries()) {
      await openRun(storage, ids)
      clock.holdAt(1_000 - Math.floor(index / 4))
      await append(storage, ids, [askEvent(ids, 'b'), askEvent(ids, 'a')])
    }
    clock.holdAt(2_000)
    const whole = await storage.events.listOpenRequests({ scope: everyone })
    assert.deepEqual([whole.items.length, whole.next, whole.floor], [16, null, 1])
    assert.deepEqual(
      whole.items.slice(0, 2).map(({ requestedAt, sessionId, requestId }) => [requestedAt, sessionId, requestId]),
      [
        [999, 'a\u0301', 'a'],
        [999, 'a\u0301', 'b'],
      ],
    )
    const paged = []
    let after: RequestCursor | null | undefined
    while (after !== null) {
      const page = await storage.events.listOpenRequests({ scope: everyone, limit: 3, ...(after && { after }) })
      assert.ok(page.items.length <= 3)
      paged.push(...page.items)
      after = page.next
    }
    assert.deepEqual(paged, whole.items)
    const [ofOne, none] = await Promise.all([openIds(storage, 'Id'), openIds(storage, 'none')])
    assert.deepEqual([ofOne, none], [['a', 'b'], []])
    const page = await storage.events.listOpenRequests({ scope: everyone, sessionId: 'Id', limit: 1 })
    assert.deepEqual(page.next, { requestedAt: 1_000, sessionId: 'Id', requestId: 'a' })
    const rest = await storage.events.listOpenRequests({ scope: everyone, sessionId: 'Id', after: page.next! })
    assert.deepEqual(
      rest.items.map(({ requestId }) => requestId),
      ['b'],
    )
  })

  behaviour('shows requests in their scope only, and refuses calls without one', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await storage.sessions.create(sessionRecord('s', { tenant: 'one' }))
    await storage.runs.openRun(openRequest(ids))
    await append(storage, ids, [askEvent(ids, 'r')])
    for (const [tenant, seen] of [
      ['one', 1],
      ['two', 0],
      [null, 0],
    ] as const) {
      const scope = { tenant }
      assert.equal((await storage.events.listOpenRequests({ scope })).items.length, seen)
      assert.equal((await storage.events.listOpenRequests({ scope, sessionId: 's' })).items.length, seen)
      assert.equal((await storage.events.readRequest('s', 'r', scope)) === undefined, seen === 0)
    }
    const missing = { code: 'INVALID_INPUT' }
    await assert.rejects(storage.events.listOpenRequests({} as never), missing)
    await assert.rejects(storage.events.listOpenRequests(undefined as never), missing)
    await assert.rejects(storage.events.readRequest('s', 'r', undefined as never), missing)
    await assert.rejects(storage.events.listOpenRequests({ scope: everyone, limit: 0 }), missing)
    const after = { requestedAt: 'then', sessionId: '', requestId: '' } as never
    await assert.rejects(storage.events.listOpenRequests({ scope: everyone, after }), missing)
  })

  behaviour('tells an owner what it need not wait for any more, of its unfinished runs', async ({ storage, clock }) => {
    const [ids, other, ended] = [idsOf('s', 'i'), idsOf('t', 'j'), idsOf('u', 'k')]
    clock.holdAt(1_000)
    const otherOwner = { ...anOwner, processStartedAt: null }
    await openRun(storage, ids)
    await openRun(storage, other, { owner: otherOwner })
    await openRun(storage, ended)
    for (const run of [ids, other, ended]) {
      await append(storage, run, [
        askEvent(run, 'open', { wait: 'live' }),
        askEvent(run, 'answered', { wait: 'live' }),
        askEvent(run, 'expired', { wait: 'live', expiresInMs: 5 }),
        askEvent(run, 'later'),
      ])
      await append(storage, run, [answerEvent(run, 'answered'), answerEvent(run, 'later')])
    }
    await append(storage, ended, [terminalEvent(ended)])
    const settled = async (owner = anOwner) =>
      (await storage.events.listSettledRequests(owner)).map((one) => `${one.sessionId} ${one.requestId} ${one.state}`)
    assert.deepEqual(await settled(), ['s answered approved'])
    clock.holdAt(1_005)
    assert.deepEqual((await settled()).toSorted(), ['s answered approved', 's expired open'])
    assert.deepEqual((await settled(otherOwner)).toSorted(), ['t answered approved', 't expired open'])
    assert.deepEqual(await settled({ ...anOwner, pid: 43 }), [])
    const [first] = await storage.events.listSettledRequests(otherOwner)
    assert.deepEqual(first, await storage.events.readRequest('t', first!.requestId, everyone))
  })

  behaviour('lists what has expired while its turn waits, oldest first', async ({ storage, clock }) => {
    const [ids, other, driven] = [idsOf('s', 'i'), idsOf('t', 'j'), idsOf('u', 'k')]
    clock.holdAt(1_000)
    for (const [run, expiresInMs] of [
      [ids, 30],
      [other, 20],
      [driven, 10],
    ] as const) {
      await openRun(storage, run)
      await append(storage, run, [
        askEvent(run, 'r', { expiresInMs }),
        askEvent(run, 'never'),
        askEvent(run, 'a', { expiresInMs }),
      ])
      if (run !== driven) await append(storage, run, [terminalEvent(run, 'waiting')])
    }
    const expired = async (limit?: number) =>
      (await storage.events.listExpiredRequests(limit === undefined ? {} : { limit })).map(
        ({ sessionId, requestId }) => `${sessionId} ${requestId}`,
      )
    clock.holdAt(1_020)
    assert.deepEqual(await expired(), ['t a', 't r'])
    clock.holdAt(1_030)
    assert.deepEqual(await expired(), ['t a', 't r', 's a', 's r'])
    assert.deepEqual(await expired(1), ['t a'])
    await append(storage, driven, [terminalEvent(driven, 'waiting')])
    assert.deepEqual(await expired(2), ['u a', 'u r'])
    await assert.rejects(storage.events.listExpiredRequests({ limit: 0 }), { code: 'INVALID_INPUT' })
  })

  behaviour('removes with a session what it asked', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await waitingRun(storage, ids, ['r'])
    assert.equal(await storage.sessions.remove('s', everyone), true)
    assert.deepEqual(await openIds(storage), [])
    assert.equal(await storage.events.readRequest('s', 'r', everyone), undefined)
    assert.deepEqual(await storage.events.listTurnRequests('s', ids.turnId), [])
    await waitingRun(storage, ids, ['r'])
    assert.deepEqual(await openIds(storage), ['r'])
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

  behaviour('keeps copies of what is asked', async ({ storage }) => {
    const ids = idsOf('s', 'i')
    await openRun(storage, ids)
    await append(storage, ids, [askEvent(ids, 'r')])
    const [listed] = (await storage.events.listOpenRequests({ scope: everyone })).items
    ;(listed!.payload as { run: string }).run = 'changed'
    assert.deepEqual((await storage.events.readRequest('s', 'r', everyone))?.payload, { run: 'r' })
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
      assert.deepEqual((await storage.events.verifyStore()).problems, [])
    },
    'insertForeignRows',
  )

  behaviour(
    'knows what is open after it is opened again',
    async ({ storage, reopen }) => {
      const ids = idsOf('s', 'i')
      await openRun(storage, ids)
      await append(storage, ids, [askEvent(ids, 'a'), askEvent(ids, 'b')])
      await append(storage, ids, [answerEvent(ids, 'b')])
      const before = await storage.events.listTurnRequests('s', ids.turnId)
      const reopened = await reopen()
      assert.deepEqual(await reopened.events.listTurnRequests('s', ids.turnId), before)
      await append(reopened, ids, [answerEvent(ids, 'a')])
      await assertStates(reopened, 's', { a: 'approved', b: 'approved' })
    },
    'reopen',
  )
}

/** The ids of what can be answered, sorted. */
async function openIds(storage: OpenedStorage, sessionId?: string): Promise<string[]> {
  const query = { scope: everyone, ...(sessionId !== undefined && { sessionId }) }
  const { items } = await storage.events.listOpenRequests(query)
  return items.map(({ requestId }) => requestId).toSorted()
}

/** Everything that was asked in the session, in order, by where it stands; and the index is the rebuild. */
async function assertStates(
  storage: OpenedStorage,
  sessionId: string,
  expected: Readonly<Record<string, RequestState>>,
): Promise<void> {
  const requests = await assertRebuilt(storage, sessionId)
  assert.deepEqual(
    requests.map(({ requestId, state }) => [requestId, state]),
    Object.entries(expected),
  )
}

async function assertRebuilt(storage: OpenedStorage, sessionId: string) {
  const events = await storage.events.readSessionRuntimeEvents(sessionId)
  const rebuilt = requestsFromSessionEvents(sessionId, events, sha256)
  for (const request of rebuilt) {
    assert.deepEqual(await storage.events.readRequest(sessionId, request.requestId, everyone), request)
  }
  assert.deepEqual((await storage.events.verifySession(sessionId)).problems, [])
  return rebuilt
}

async function waitingRun(storage: OpenedStorage, ids: RunIds, requestIds: readonly string[]): Promise<void> {
  await openRun(storage, ids)
  await append(storage, ids, [...requestIds.map((id) => askEvent(ids, id)), terminalEvent(ids, 'waiting')])
}

/** The ids of an invocation that goes on with the turn. */
function continuing(ids: RunIds, invocationId: string): RunIds {
  return idsOf(ids.sessionId, invocationId, ids.turnId)
}

function continuationEvent(of: RunIds, invocationId: string, ids: RunIds = continuing(of, invocationId)): RuntimeEvent {
  return openedEvent(ids, 1, { kind: 'continuation', of: of.invocationId })
}

function subAgentEvent(ids: RunIds, parent: RunIds): RuntimeEvent {
  const opening = openedEvent(ids)
  const content = { ...opening.content!, lineage: { parentInvocationId: parent.invocationId } }
  return { ...opening, content }
}
