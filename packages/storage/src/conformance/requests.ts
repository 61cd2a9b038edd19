import assert from 'node:assert/strict'
import type { AnswerAction, RequestAction, RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { assertRebuilt, assertStates, everyone, openIds } from './request-samples.ts'
import {
  anOwner,
  answerEvent,
  append,
  askEvent,
  digestOf,
  factEvent,
  idsOf,
  openedEvent,
  openRequest,
  openRun,
  terminalEvent,
  textEvent,
} from './samples.ts'
import type { Behaviour } from './storage-under-test.ts'

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
}
