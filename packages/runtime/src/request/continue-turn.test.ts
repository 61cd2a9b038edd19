import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OpenedStorage } from '@daybook/core'
import type { BackendCapabilities } from '@daybook/core/backend-types'
import { fakeClock } from '@daybook/testing'
import { approve, asksFor, openRequests } from '../../test/asking-backend.ts'
import { assertWhole, factsOf } from '../../test/ledger-facts.ts'
import { managerOver, openManager, type TestManager } from '../../test/open-manager.ts'
import { aborted, eventsOf, type Script, scriptedBackend } from '../../test/scripted-backend.ts'
import { storageKinds } from '../../test/storages.ts'
import { takeAll } from '../../test/take.ts'
import { world } from '../../test/world.ts'

const message = { turnId: 'turn-1', text: 'hi' }
const hang: Script = async function* ({ turnId, abortSignal }) {
  yield eventsOf(turnId).call('c1')
  await aborted(abortSignal)
}
const cutShort = [
  'invocation_opened',
  'user:hi',
  'function_call:c1',
  'error:app_restarted',
  'function_response:unknown',
  'failed',
]

/** A manager whose backend says how it goes on, and does. */
function resuming(
  storage: OpenedStorage,
  resume: BackendCapabilities['resume'],
  script?: Script,
): Promise<TestManager> {
  const answer: Script = async function* ({ turnId }) {
    yield eventsOf(turnId).text('back again')
    yield eventsOf(`end of ${turnId}`).complete()
  }
  const play: Script = async function* (input) {
    for await (const event of (script ?? answer)(input)) yield { ...(event as object), turnId: input.turnId }
  }
  const capabilities = resume && { resume }
  return openManager(storage, scriptedBackend(play, capabilities && { capabilities }), { processTable: world('2') })
}

/** A turn in a tool, whose process is gone. */
async function interrupted(storage: OpenedStorage): Promise<string> {
  const first = await openManager(storage, hang, { processTable: world('1') })
  await first.manager.sendMessage(first.session.id, message).next()
  return first.session.id
}

for (const { name, open } of storageKinds) {
  describe(`continueTurn on ${name}`, () => {
    for (const resume of ['attach', 'replay'] as const) {
      test(`goes on with a turn that a crash interrupted, by ${resume}`, async () => {
        const { storage, dispose } = open()
        const sessionId = await interrupted(storage)
        const { manager, backend } = await resuming(storage, resume)
        const { turnId, finished } = await manager.continueTurn(sessionId, { turnId: 'turn-1' })
        assert.deepEqual([turnId, (await finished).state], ['turn-1', 'completed'])
        assert.deepEqual(await factsOf(storage, sessionId), [
          ...cutShort,
          'invocation_opened',
          'text:back again',
          'completed',
        ])
        const { text, continuation, history } = backend.inputs[0]!
        assert.deepEqual([text, continuation?.kind, continuation?.openCalls], ['', resume, []])
        assert.deepEqual(
          history.map(({ role }) => role),
          ['user', 'assistant', 'tool'],
        )
        const [turn, ...others] = await manager.transcript(sessionId)
        assert.deepEqual([turn?.state, turn?.items.length, others], ['completed', 3, []])
        await assertWhole(storage)
        await dispose()
      })
    }

    test('asks the same again where the backend declares rerun', async () => {
      const { storage, dispose } = open()
      const sessionId = await interrupted(storage)
      const { manager, backend } = await resuming(storage, 'rerun')
      await (
        await manager.continueTurn(sessionId)
      ).finished
      assert.deepEqual([backend.inputs[0]?.text, backend.inputs[0]?.continuation], ['hi', undefined])
      assert.deepEqual(
        (await manager.transcript(sessionId))[0]?.items.map(({ type }) => type),
        ['text'],
      )
      await assertWhole(storage)
      await dispose()
    })

    test('is refused where the backend declares nothing, and the turn can be tried again', async () => {
      const { storage, dispose } = open()
      const sessionId = await interrupted(storage)
      const { manager } = await resuming(storage, undefined)
      await assert.rejects(manager.continueTurn(sessionId), { code: 'UNSUPPORTED' })
      assert.deepEqual(await factsOf(storage, sessionId), cutShort)
      const { finished } = await manager.retryTurn(sessionId)
      assert.equal((await finished).state, 'completed')
      await assertWhole(storage)
      await dispose()
    })

    test('goes on with a turn that was stopped, and with a continuation that a crash interrupted', async () => {
      const { storage, dispose } = open()
      const first = await resuming(storage, 'replay', hang)
      await first.manager.startTurn(first.session.id, message)
      await first.manager.stopSession(first.session.id)
      const crashed = await openManager(storage, scriptedBackend(hang, { capabilities: { resume: 'replay' } }), {
        processTable: world('1'),
      })
      await crashed.manager.continueTurn(first.session.id)
      await assert.rejects(crashed.manager.continueTurn(first.session.id), { code: 'SESSION_BUSY' })
      const { manager } = await resuming(storage, 'replay')
      assert.equal((await (await manager.continueTurn(first.session.id)).finished).state, 'completed')
      assert.equal((await manager.listInvocations(first.session.id)).length, 3)
      await assertWhole(storage)
      await dispose()
    })

    test('closes as unknown the approved call of a continuation whose process died, and the session takes the next message', async () => {
      const { storage, dispose } = open()
      const first = await openManager(storage, asksFor(['a', 'b']))
      await (
        await first.manager.startTurn(first.session.id, message)
      ).finished
      const crashed = await openManager(
        storage,
        async function* ({ turnId }) {
          await new Promise(() => {})
          yield eventsOf(turnId).complete()
        },
        { processTable: world('1') },
      )
      const answers = (await openRequests(first.manager, first.session.id)).map((request) => approve(request))
      await crashed.manager.answerRequests(first.session.id, { answers })
      const { manager, backend } = await resuming(storage, undefined)
      assert.equal((await manager.recover()).closed, 1)
      assert.deepEqual(await factsOf(storage, first.session.id).then((facts) => facts.slice(-6)), [
        'fact',
        'fact',
        'error:app_restarted',
        'function_response:unknown',
        'function_response:unknown',
        'failed',
      ])
      await takeAll(manager.sendMessage(first.session.id, { text: 'and now?' }))
      assert.deepEqual(
        backend.inputs[0]?.history.at(-1)?.parts.map((part) => 'outcome' in part && part.outcome),
        ['unknown', 'unknown'],
      )
      await assertWhole(storage)
      await dispose()
    })

    test('goes on with a turn all of whose requests have expired, each as denied', async () => {
      const storeClock = fakeClock(1000)
      const { storage, dispose } = open(storeClock.now)
      const { manager, session, backend } = await openManager(storage, asksFor(['a', 'b'], 50))
      await (
        await manager.startTurn(session.id, message)
      ).finished
      await assert.rejects(manager.continueTurn(session.id), {
        code: 'NOTHING_TO_CONTINUE',
        openRequests: 2,
        state: 'waiting',
      })
      storeClock.advance(50)
      const { finished } = await manager.continueTurn(session.id)
      assert.equal((await finished).state, 'completed')
      const { requests, openCalls } = backend.inputs[1]!.continuation!
      assert.deepEqual([requests.map(({ state }) => state), openCalls], [['expired', 'expired'], []])
      await assertWhole(storage)
      await dispose()
    })

    test('refuses what did not wait and was not interrupted, and turns that are not the newest or not there', async () => {
      const { storage, dispose } = open()
      const fails: Script = async function* ({ text }) {
        if (text === 'fail') throw new Error('no')
        yield eventsOf('turn-1').complete()
      }
      const { manager, session } = await resuming(storage, 'replay', fails)
      await assert.rejects(manager.continueTurn(session.id), { code: 'NOTHING_TO_CONTINUE', state: undefined })
      await takeAll(manager.sendMessage(session.id, message))
      await assert.rejects(manager.continueTurn(session.id), { code: 'NOTHING_TO_CONTINUE', state: 'completed' })
      await takeAll(manager.sendMessage(session.id, { turnId: 'turn-2', text: 'fail' }))
      await assert.rejects(manager.continueTurn(session.id), { code: 'NOTHING_TO_CONTINUE', state: 'failed' })
      await assert.rejects(manager.continueTurn(session.id, { turnId: 'turn-1' }), {
        code: 'TURN_NOT_NEWEST',
        newestTurnId: 'turn-2',
      })
      await assert.rejects(manager.continueTurn(session.id, { turnId: 'turn-3' }), { code: 'TURN_NOT_FOUND' })
      await assert.rejects(manager.continueTurn(session.id, {}, { tenant: 'other' }), { code: 'SESSION_NOT_FOUND' })
      await assert.rejects(managerOver(storage).retryTurn(session.id), { code: 'UNKNOWN_BACKEND' })
      await dispose()
    })
  })

  describe(`stopSession on ${name} of a turn that waits`, () => {
    test('ends it as aborted, with its requests closed and its calls not answered', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, asksFor(['a', 'b']))
      await (
        await manager.startTurn(session.id, message)
      ).finished
      const requests = await openRequests(manager, session.id)
      await manager.answerRequests(session.id, { answers: [approve(requests[0]!)] })
      const outcome = await managerOver(storage).stopSession(session.id)
      assert.deepEqual([outcome?.state, outcome?.ending?.abortSource], ['aborted', 'user'])
      assert.deepEqual((await factsOf(storage, session.id)).slice(-4), [
        'invocation_opened',
        'function_response:not_answered',
        'function_response:not_answered',
        'aborted',
      ])
      assert.equal((await manager.readRequest(session.id, requests[1]!.requestId))?.state, 'unanswered')
      await assert.rejects(manager.answerRequests(session.id, { answers: [approve(requests[1]!)] }), {
        code: 'REQUEST_CLOSED',
        state: 'unanswered',
      })
      assert.equal(await manager.stopSession(session.id), undefined)
      await assertWhole(storage)
      await dispose()
    })
  })

  describe(`recover on ${name}`, () => {
    test('records what nobody answered in time, within its limit, and runs no model', async () => {
      const storeClock = fakeClock(1000)
      const { storage, dispose } = open(storeClock.now)
      const { manager, session, backend } = await openManager(storage, asksFor(['a', 'b'], 50))
      const second = await manager.createSession({})
      for (const { id } of [session, second]) {
        await (
          await manager.startTurn(id, message)
        ).finished
      }
      const other = managerOver(storage)
      assert.equal((await other.recover()).expired, 0)
      storeClock.advance(50)
      assert.deepEqual(await other.recover({ limit: 1 }), { closed: 0, left: 0, expired: 2, failed: [] })
      const isAborted = AbortSignal.abort()
      assert.equal((await other.recover({ signal: isAborted })).expired, 0)
      assert.equal((await other.recover()).expired, 2)
      assert.equal((await other.recover()).expired, 0)
      assert.equal(backend.inputs.length, 2)
      assert.deepEqual((await factsOf(storage, session.id)).slice(-6), [
        'invocation_opened',
        'fact',
        'fact',
        'function_response:denied',
        'function_response:denied',
        'waiting',
      ])
      assert.equal((await (await manager.continueTurn(session.id)).finished).state, 'completed')
      await assertWhole(storage)
      await dispose()
    })

    test('is done by several at once, each of which finds nothing wrong', async () => {
      const storeClock = fakeClock(1000)
      const { storage, dispose } = open(storeClock.now)
      const { manager, session } = await openManager(storage, asksFor(['a', 'b'], 50))
      await (
        await manager.startTurn(session.id, message)
      ).finished
      storeClock.advance(50)
      const others = Array.from({ length: 4 }, () => managerOver(storage))
      const reports = await Promise.all(others.map((other) => other.recover()))
      assert.deepEqual(
        reports.flatMap(({ failed }) => failed),
        [],
      )
      assert.equal(
        reports.reduce((sum, { expired }) => sum + expired, 0),
        2,
      )
      await assertWhole(storage)
      await dispose()
    })

    test('comes to all that has expired, whatever of it cannot be recorded', async () => {
      const storeClock = fakeClock(1000)
      const { storage, dispose } = open(storeClock.now)
      const many = Array.from({ length: 300 }, (_, index) => `call-${index}`)
      const { manager, session } = await openManager(storage, asksFor(many, 50))
      await (
        await manager.startTurn(session.id, message)
      ).finished
      storeClock.advance(1)
      const second = await manager.createSession({})
      await (
        await manager.startTurn(second.id, message)
      ).finished
      storeClock.advance(50)
      const runs: OpenedStorage['runs'] = Object.assign(Object.create(storage.runs), {
        readNewestRun: (id: string) =>
          id === session.id ? Promise.reject(new Error('damaged')) : storage.runs.readNewestRun(id),
      })
      const { expired, failed } = await managerOver({ ...storage, runs }).recover()
      assert.equal(expired, 300)
      assert.ok(failed.every(({ sessionId }) => sessionId === session.id) && failed.length > 0)
      await manager.close()
      await dispose()
    })
  })
}
