import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type OpenedStorage, type RequestRecord, type RuntimeEventStore, StorageIoError } from '@daybook/core'
import { fakeClock } from '@daybook/testing'
import { approve, asksFor, deny, openRequests } from '../../test/asking-backend.ts'
import { assertWhole, factsOf } from '../../test/ledger-facts.ts'
import { managerOver, openManager } from '../../test/open-manager.ts'
import { eventsOf } from '../../test/scripted-backend.ts'
import { storageKinds } from '../../test/storages.ts'

const message = { turnId: 'turn-1', text: 'hi' }
const asked = ['invocation_opened', 'user:hi', 'function_call:a', 'fact', 'waiting']
const ranAndDone = ['function_response:ok', 'text:done', 'completed']

for (const { name, open } of storageKinds) {
  describe(`answerRequests on ${name}`, () => {
    /** A turn that waits for leave to call these tools. */
    async function waiting(calls: readonly string[], expiresInMs?: number, storeClock = fakeClock(1000)) {
      const { storage, dispose } = open(storeClock.now)
      const opened = await openManager(storage, asksFor(calls, expiresInMs))
      const { manager, session } = opened
      await (
        await manager.startTurn(session.id, message)
      ).finished
      return { ...opened, storage, dispose, requests: await openRequests(manager, session.id), storeClock }
    }

    test('approves: the call is run with what was asked for, and the turn goes on in one invocation with the answer', async () => {
      const { manager, session, backend, requests, storage, dispose } = await waiting(['a'])
      const answered = await manager.answerRequests(session.id, { answers: [approve(requests[0]!)], by: 'ann' })
      assert.equal((await answered.turn?.finished)?.state, 'completed')
      assert.deepEqual([answered.requests[0]?.state, answered.requests[0]?.answer?.by], ['approved', 'ann'])
      const facts = [...asked, 'invocation_opened', 'fact', ...ranAndDone]
      assert.deepEqual(await factsOf(storage, session.id), facts)
      const { text, history, continuation } = backend.inputs[1]!
      const { of: _of, requests: told, ...rest } = continuation!
      const call = { toolCallId: 'a', toolName: 'tool', args: { path: 'a' }, changed: false }
      assert.deepEqual([text, rest], ['', { kind: 'answers', openCalls: [call] }])
      assert.deepEqual([told.length, told[0]?.state], [1, 'approved'])
      assert.deepEqual(history.at(-1), {
        role: 'tool',
        parts: [{ type: 'tool_result', toolCallId: 'a', toolName: 'tool', outcome: 'not_answered', result: null }],
      })
      const [turn, ...others] = await manager.transcript(session.id)
      assert.deepEqual(others, [])
      assert.deepEqual(
        turn?.items.map((item) => ('outcome' in item ? [item.outcome, item.result] : item.type)),
        [['ok', { ran: { path: 'a' } }], 'text'],
      )
      await assertWhole(storage)
      await dispose()
    })

    test('approves with other arguments, which the call is run with', async () => {
      const { manager, session, backend, requests, dispose } = await waiting(['a'])
      const answers = [approve(requests[0]!, { args: { path: 'b' } })]
      await (
        await manager.answerRequests(session.id, { answers })
      ).turn?.finished
      const [call] = backend.inputs[1]!.continuation!.openCalls
      assert.deepEqual([call?.args, call?.changed], [{ path: 'b' }, true])
      await dispose()
    })

    test('applies to the call that was shown, not to another one of the same id', async () => {
      for (const first of ['changed', 'denied']) {
        const { storage, dispose } = open()
        let step = 0
        const { manager, session, backend } = await openManager(storage, async function* (input) {
          const say = eventsOf(input.turnId)
          for (const { toolCallId, args } of input.continuation?.openCalls ?? []) yield say.result(toolCallId, args)
          if (++step === 3) return yield say.complete()
          yield say.call('call_0', { path: `${step}` })
          yield say.boundary(`${step}`, 'call_0')
          yield say.complete('waiting')
        })
        await (
          await manager.startTurn(session.id, message)
        ).finished
        for (const answer of [
          first === 'denied' ? deny : (one: RequestRecord) => approve(one, { args: { path: 'b' } }),
          approve,
        ]) {
          const [request] = await openRequests(manager, session.id)
          await (
            await manager.answerRequests(session.id, { answers: [answer(request!)] })
          ).turn?.finished
        }
        const call = { toolCallId: 'call_0', toolName: 'tool', args: { path: '2' }, changed: false }
        assert.deepEqual(backend.inputs[2]!.continuation!.openCalls, [call])
        const [turn] = await manager.transcript(session.id)
        assert.deepEqual(
          turn?.items.map((item) => 'outcome' in item && [item.outcome, item.result]),
          [first === 'denied' ? ['denied', null] : ['ok', { path: 'b' }], ['ok', { path: '2' }]],
        )
        await assertWhole(storage)
        await dispose()
      }
    })

    test('denies: the call is closed with the reason, and the backend has nothing to run', async () => {
      const { manager, session, backend, requests, storage, dispose } = await waiting(['a'])
      const told: string[] = []
      const { turn } = await manager.answerRequests(session.id, {
        answers: [deny(requests[0]!, 'not today')],
        watch: ({ type }) => void told.push(type),
      })
      await turn?.finished
      assert.deepEqual(backend.inputs[1]!.continuation!.openCalls, [])
      assert.deepEqual(backend.inputs[1]!.history.at(-1), {
        role: 'tool',
        parts: [{ type: 'tool_result', toolCallId: 'a', toolName: 'tool', outcome: 'denied', result: 'not today' }],
      })
      assert.deepEqual(told, ['tool_result', 'text_complete', 'complete'])
      await assertWhole(storage)
      await dispose()
    })

    test('takes the answers of a step one by one, and goes on with the last', async () => {
      const { manager, session, backend, requests, storage, dispose } = await waiting(['a', 'b', 'c'])
      for (const [index, request] of requests.entries()) {
        const answer = index === 1 ? deny(request) : approve(request)
        const { turn } = await manager.answerRequests(session.id, { answers: [answer] })
        assert.equal(turn !== undefined, index === 2)
        assert.equal((await openRequests(manager, session.id)).length, 2 - index)
        await turn?.finished
      }
      assert.deepEqual(
        backend.inputs[1]!.continuation!.openCalls.map(({ toolCallId }) => toolCallId),
        ['a', 'c'],
      )
      const [turn] = await manager.transcript(session.id)
      assert.deepEqual(
        turn?.items.map((item) => 'outcome' in item && item.outcome),
        ['ok', 'denied', 'ok', false],
      )
      await assertWhole(storage)
      await dispose()
    })

    test('takes all answers together or none', async () => {
      const { manager, session, requests, storage, dispose } = await waiting(['a', 'b'])
      const wrong = { ...approve(requests[1]!), digest: '0'.repeat(64) }
      const answers = [approve(requests[0]!), wrong]
      const refused = { code: 'REQUEST_CHANGED', digest: requests[1]!.digest }
      await assert.rejects(manager.answerRequests(session.id, { answers }), refused)
      assert.equal((await openRequests(manager, session.id)).length, 2)
      const both = await manager.answerRequests(session.id, { answers: requests.map((request) => approve(request)) })
      assert.equal((await both.turn?.finished)?.state, 'completed')
      await assertWhole(storage)
      await dispose()
    })

    test('takes the answer to a question as the result of its call', async () => {
      const { storage, dispose } = open()
      const { manager, session, backend } = await openManager(storage, async function* ({ turnId, continuation }) {
        const say = eventsOf(turnId)
        if (continuation === undefined) {
          yield say.call('a')
          yield say.question('q', 'a')
          return yield say.complete('waiting')
        }
        yield say.complete()
      })
      await (
        await manager.startTurn(session.id, message)
      ).finished
      const [{ requestId, digest } = { requestId: '', digest: '' }] = await openRequests(manager, session.id)
      const approved = { requestId, digest, decision: 'approved' } as const
      await assert.rejects(manager.answerRequests(session.id, { answers: [approved] }), {
        code: 'INVALID_INPUT',
        field: 'answers[0].decision',
      })
      const { turn } = await manager.answerRequests(session.id, { answers: [{ requestId, digest, answer: { n: 7 } }] })
      await turn?.finished
      assert.deepEqual(backend.inputs[1]!.history.at(-1)?.parts, [
        { type: 'tool_result', toolCallId: 'a', toolName: 'tool', outcome: 'ok', result: { n: 7 } },
      ])
      await assertWhole(storage)
      await dispose()
    })

    test('is answered by a second process that cannot go on, and gone on with by a third', async () => {
      const { session, requests, storage, dispose } = await waiting(['a'])
      const second = managerOver(storage)
      const answered = await second.answerRequests(session.id, { answers: [approve(requests[0]!)] })
      assert.deepEqual([answered.turn, answered.requests[0]?.state], [undefined, 'approved'])
      const third = await openManager(storage, asksFor([]))
      const { finished } = await third.manager.continueTurn(session.id)
      assert.equal((await finished).state, 'completed')
      assert.deepEqual(third.backend.inputs[0]?.continuation?.openCalls[0]?.args, { path: 'a' })
      await assertWhole(storage)
      await dispose()
    })

    test('records only where the caller says so', async () => {
      const { manager, session, backend, requests, storage, dispose } = await waiting(['a'])
      const { turn } = await manager.answerRequests(session.id, { answers: [approve(requests[0]!)], continue: false })
      assert.deepEqual([turn, backend.inputs.length], [undefined, 1])
      assert.deepEqual(await factsOf(storage, session.id), [...asked, 'invocation_opened', 'fact', 'waiting'])
      assert.equal((await manager.transcript(session.id))[0]?.state, 'waiting')
      await assertWhole(storage)
      await dispose()
    })

    test('is answered once by many at once, in one process and in others', async () => {
      const { session, requests, storage, dispose, manager } = await waiting(['a'])
      const others = await Promise.all([1, 2, 3].map(() => openManager(storage, asksFor([]))))
      const managers = [manager, manager, ...others.map((other) => other.manager)]
      const results = await Promise.allSettled(
        managers.map((one, index) =>
          one.answerRequests(session.id, { answers: [index % 2 ? deny(requests[0]!) : approve(requests[0]!)] }),
        ),
      )
      const won = results.filter((result) => result.status === 'fulfilled')
      assert.equal(won.length, 1)
      for (const result of results) {
        if (result.status === 'rejected') assert.equal((result.reason as { code: string }).code, 'REQUEST_CLOSED')
      }
      await won[0]?.value.turn?.finished
      const facts = await factsOf(storage, session.id)
      assert.equal(facts.filter((fact) => fact === 'invocation_opened').length, 2)
      await assertWhole(storage)
      await dispose()
    })

    test('tells a second answer whether it was the same, also once the turn has gone on', async () => {
      const { manager, session, requests, dispose } = await waiting(['a'])
      const { turn } = await manager.answerRequests(session.id, { answers: [approve(requests[0]!)], by: 'ann' })
      for (const [answer, sameAnswer] of [
        [approve(requests[0]!), true],
        [deny(requests[0]!), false],
      ] as const) {
        const refused = { code: 'REQUEST_CLOSED', state: 'approved', sameAnswer }
        await assert.rejects(manager.answerRequests(session.id, { answers: [answer], by: 'bob' }), refused)
      }
      await turn?.finished
      await dispose()
    })

    test('refuses what has expired by the clock of the store', async () => {
      const { manager, session, requests, storeClock, dispose } = await waiting(['a', 'b'], 50)
      storeClock.advance(50)
      const refused = { code: 'REQUEST_EXPIRED', requestId: requests[0]!.requestId, expiredAt: 1050 }
      await assert.rejects(manager.answerRequests(session.id, { answers: [approve(requests[0]!)] }), refused)
      assert.deepEqual(await openRequests(manager, session.id), [])
      await dispose()
    })

    test('counts what expired beside it as denied', async () => {
      const storeClock = fakeClock(1000)
      const { storage, dispose } = open(storeClock.now)
      const { manager, session, backend } = await openManager(storage, async function* ({ turnId, continuation }) {
        const say = eventsOf(turnId)
        if (continuation !== undefined) return yield say.complete()
        for (const call of ['a', 'b']) yield say.call(call)
        yield say.boundary('a', 'a')
        yield say.boundary('b', 'b', 50)
        yield say.complete('waiting')
      })
      await (
        await manager.startTurn(session.id, message)
      ).finished
      storeClock.advance(50)
      const [request] = await openRequests(manager, session.id)
      const { turn } = await manager.answerRequests(session.id, { answers: [deny(request!)] })
      await turn?.finished
      const { requests, openCalls } = backend.inputs[1]!.continuation!
      assert.deepEqual([requests.map(({ state }) => state), openCalls], [['denied', 'expired'], []])
      await assertWhole(storage)
      await dispose()
    })

    test('refuses what is no answer, to nothing, of another tenant, and to two turns', async () => {
      const { manager, session, requests, storage, dispose } = await waiting(['a'])
      const [{ requestId, digest }] = requests as [(typeof requests)[number]]
      const good = approve(requests[0]!)
      const facts = await factsOf(storage, session.id)
      const refused: [answers: unknown, error: object][] = [
        [undefined, { code: 'INVALID_INPUT', field: 'answers' }],
        [[], { code: 'INVALID_INPUT', field: 'answers' }],
        [[null], { code: 'INVALID_INPUT', field: 'answers[0]' }],
        [Object.assign([], { length: 1 }), { code: 'INVALID_INPUT', field: 'answers[0]' }],
        [[good, good], { code: 'INVALID_INPUT', field: 'answers[1].requestId' }],
        [[{ ...good, requestId: '' }], { code: 'INVALID_ID', field: 'answers[0].requestId' }],
        [[{ requestId, decision: 'approved' }], { code: 'INVALID_INPUT', field: 'answers[0].digest' }],
        [[{ ...good, digest: digest.toUpperCase() }], { code: 'INVALID_INPUT', field: 'answers[0].digest' }],
        [[{ requestId, digest }], { code: 'INVALID_INPUT', field: 'answers[0]' }],
        [[{ ...good, answer: 1 }], { code: 'INVALID_INPUT', field: 'answers[0]' }],
        [[{ ...good, decision: 'maybe' }], { code: 'INVALID_INPUT', field: 'answers[0].decision' }],
        [[{ ...good, decision: 'denied', args: {} }], { code: 'INVALID_INPUT', field: 'answers[0].args' }],
        [[{ ...good, args: { at: new Date() } }], { code: 'NOT_CANONICAL' }],
        [[{ ...good, args: 'x'.repeat(2 ** 20) }], { code: 'PAYLOAD_TOO_LARGE' }],
        [[{ ...good, reason: 7 }], { code: 'INVALID_INPUT', field: 'answers[0].reason' }],
        [[{ requestId, digest, answer: 'yes' }], { code: 'INVALID_INPUT', field: 'answers[0].answer' }],
        [[{ ...good, requestId: 'other' }], { code: 'REQUEST_NOT_FOUND', requestId: 'other' }],
      ]
      for (const [answers, error] of refused) {
        await assert.rejects(manager.answerRequests(session.id, { answers: answers as [] }), error)
      }
      const input = { answers: [good] }
      await assert.rejects(manager.answerRequests(session.id, { ...input, by: '' }), { field: 'by' })
      await assert.rejects(manager.answerRequests(session.id, { ...input, continue: 'no' as never }), {
        field: 'continue',
      })
      await assert.rejects(manager.answerRequests(session.id, { ...input, watch: 1 as never }), { field: 'watch' })
      await assert.rejects(manager.answerRequests(session.id, input, { tenant: 'other' }), {
        code: 'SESSION_NOT_FOUND',
      })
      assert.equal(await manager.readRequest(session.id, requestId, { tenant: 'other' }), undefined)
      assert.deepEqual((await manager.listOpenRequests({}, { tenant: 'other' })).items, [])
      assert.deepEqual(await factsOf(storage, session.id), facts)

      await (
        await manager.startTurn(session.id, { text: 'never mind' })
      ).finished
      const later = await openRequests(manager, session.id)
      await assert.rejects(manager.answerRequests(session.id, { answers: [good, approve(later[0]!)] }), {
        code: 'INVALID_INPUT',
        field: 'answers',
      })
      await assert.rejects(manager.answerRequests(session.id, input), { code: 'REQUEST_CLOSED', state: 'unanswered' })
      await manager.close()
      await assert.rejects(manager.answerRequests(session.id, input), { code: 'MANAGER_CLOSED' })
      await dispose()
    })

    test('goes on by itself when a running turn ends as waiting for what was answered meanwhile', async () => {
      const { storage, dispose } = open()
      const hasAsked = Promise.withResolvers<void>()
      const goesOn = Promise.withResolvers<void>()
      const { manager, session, backend } = await openManager(storage, async function* (input) {
        const say = eventsOf(input.turnId)
        if (input.continuation !== undefined) return yield* asksFor([])(input) as AsyncGenerator<unknown>
        yield say.call('a')
        yield say.boundary('a', 'a')
        hasAsked.resolve()
        await goesOn.promise
        yield say.complete('waiting')
      })
      const { finished } = await manager.startTurn(session.id, message)
      await hasAsked.promise
      const other = await openManager(storage, asksFor([]))
      const [request] = await openRequests(other.manager, session.id)
      const { turn } = await other.manager.answerRequests(session.id, { answers: [approve(request!)] })
      assert.equal(turn, undefined)
      goesOn.resolve()
      assert.equal((await finished).state, 'waiting')
      for (;;) {
        const [shown] = await manager.transcript(session.id)
        if (shown?.state === 'completed') break
        await new Promise(setImmediate)
      }
      assert.equal(backend.inputs[1]?.continuation?.openCalls.length, 1)
      await manager.close()
      await assertWhole(storage)
      await dispose()
    })

    test('is written once although the store does not say whether it was', async () => {
      const { session, requests, storage, dispose } = await waiting(['a'])
      let failures = 2
      const runs: OpenedStorage['runs'] = Object.assign(Object.create(storage.runs), {
        async openRun(request: Parameters<OpenedStorage['runs']['openRun']>[0]) {
          const run = await storage.runs.openRun(request)
          if (failures-- > 0) throw new StorageIoError('lost')
          return run
        },
      })
      const { manager } = await openManager({ ...storage, runs }, asksFor([]))
      const { turn } = await manager.answerRequests(session.id, { answers: [approve(requests[0]!)] })
      assert.equal((await turn?.finished)?.state, 'completed')
      await assertWhole(storage)
      await dispose()
    })

    test('is appended once to a running turn although the store does not say whether it was', async () => {
      const { storage, dispose } = open()
      const hasAsked = Promise.withResolvers<void>()
      const owner = await openManager(storage, async function* ({ turnId, abortSignal }) {
        const say = eventsOf(turnId)
        yield say.call('a')
        yield say.boundary('a', 'a')
        hasAsked.resolve()
        await new Promise((resolve) => abortSignal.addEventListener('abort', resolve))
      })
      await owner.manager.startTurn(owner.session.id, message)
      await hasAsked.promise
      let failures = 2
      const events: RuntimeEventStore = Object.assign(Object.create(storage.events), {
        async appendAnswers(request: Parameters<RuntimeEventStore['appendAnswers']>[0]) {
          const appended = await storage.events.appendAnswers(request)
          if (failures-- > 0) throw new StorageIoError('lost')
          return appended
        },
      })
      const { manager } = await openManager({ ...storage, events }, asksFor([]))
      const [request] = await openRequests(manager, owner.session.id)
      const { requests } = await manager.answerRequests(owner.session.id, { answers: [approve(request!)] })
      assert.equal(requests[0]?.state, 'approved')
      assert.equal((await owner.manager.stopSession(owner.session.id))?.state, 'aborted')
      await assertWhole(storage)
      await dispose()
    })
  })
}
