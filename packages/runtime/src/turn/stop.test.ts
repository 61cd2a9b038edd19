import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertWhole, endingOf, factsOf } from '../../test/ledger-facts.ts'
import { openManager } from '../../test/open-manager.ts'
import { aborted, eventsOf, type Script, scriptedBackend } from '../../test/scripted-backend.ts'
import { storageKinds } from '../../test/storages.ts'
import { takeAll } from '../../test/take.ts'
import { settlesSoon, until } from '../../test/until.ts'

const graceMs = 5000
const message = { turnId: 'turn-1', text: 'hi' }
const opened = ['invocation_opened', 'user:hi']
const byUser = { stopReason: 'user_stop', abortSource: 'user' }

/** Begins to answer, then waits for the signal, and says goodbye. */
const untilAborted: Script = async function* ({ turnId, abortSignal }) {
  const say = eventsOf(turnId)
  yield say.call('c1')
  yield say.delta('so f')
  await aborted(abortSignal)
  yield say.text('so far')
  yield say.complete()
}
const neverEnds: Script = async function* ({ turnId }) {
  const say = eventsOf(turnId)
  yield say.call('c1')
  yield say.delta('so far')
  await new Promise(() => {})
}

for (const { name, open } of storageKinds) {
  describe(`stopSession on ${name}`, () => {
    test('asks the backend once, keeps what it still says, and resolves when the turn is in the ledger as aborted', async () => {
      const { storage, dispose } = open()
      const { manager, session, backend } = await openManager(storage, untilAborted)
      const told = takeAll(manager.sendMessage(session.id, message))
      await until(() => backend.calls.length === 1)
      const outcomes = await Promise.all([manager.stopSession(session.id), manager.stopSession(session.id)])
      for (const outcome of outcomes) assert.deepEqual([outcome?.state, outcome?.ending], ['aborted', byUser])
      assert.deepEqual(backend.calls, ['send turn-1', 'stop user'])
      assert.deepEqual(await factsOf(storage, session.id), [
        ...opened,
        'function_call:c1',
        'text:so far',
        'function_response:unknown',
        'aborted',
      ])
      assert.deepEqual(
        (await told).map((event) => event.type),
        ['tool_start', 'text_delta', 'text_complete', 'tool_result', 'abort'],
      )
      await assertWhole(storage)
      await dispose()
    })

    test('writes the terminal of a backend that never ends, after the grace', async () => {
      const { storage, dispose } = open()
      const { manager, session, backend, timers, warnings } = await openManager(storage, neverEnds)
      const told = takeAll(manager.sendMessage(session.id, message))
      await until(() => backend.calls.length === 1)
      const stopped = manager.stopSession(session.id)
      assert.equal(await settlesSoon(stopped), false)
      timers.advance(graceMs)
      assert.deepEqual((await stopped)?.ending, byUser)
      assert.deepEqual(await factsOf(storage, session.id), [
        ...opened,
        'function_call:c1',
        'text:so far:interrupted',
        'function_response:unknown',
        'aborted',
      ])
      assert.equal((await told).at(-1)?.type, 'abort')
      await until(() => warnings.length > 0)
      assert.deepEqual(backend.calls, ['send turn-1', 'stop user', 'dispose'])
      assert.deepEqual(warnings, [
        `the backend of session "${session.id}" did not end its turn in time; the next turn gets a new one`,
      ])
      await assertWhole(storage)
      await dispose()
    })

    test('ends the turn of a consumer that does not read', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, untilAborted)
      const iterator = manager.sendMessage(session.id, message)
      await iterator.next()
      assert.equal((await manager.stopSession(session.id))?.state, 'aborted')
      assert.deepEqual(
        (await takeAll(iterator)).map((event) => event.type),
        ['text_delta', 'text_complete', 'tool_result', 'abort'],
      )
      await dispose()
    })

    test('ends a backend that does nothing but stream', async () => {
      const { storage, dispose } = open()
      let streamed = 0
      const { manager, session, timers } = await openManager(storage, async function* ({ turnId }) {
        const say = eventsOf(turnId)
        for (; ; streamed++) yield say.delta('x')
      })
      const { finished } = await manager.startTurn(session.id, message)
      await until(() => streamed > 1000)
      const stopped = manager.stopSession(session.id)
      await until(() => timers.waiting.includes(graceMs))
      timers.advance(graceMs)
      assert.deepEqual([(await stopped)?.state, (await finished).state], ['aborted', 'aborted'])
      assert.match((await factsOf(storage, session.id))[2]!, /^text:x+:interrupted$/)
      await dispose()
    })

    test('before the first event does not ask the backend at all', async () => {
      const { storage, dispose } = open()
      const { manager, session, backend } = await openManager(storage, untilAborted)
      const started = manager.startTurn(session.id, message)
      const stopped = manager.stopSession(session.id)
      assert.deepEqual((await (await started).finished).ending, byUser)
      assert.equal((await stopped)?.state, 'aborted')
      assert.deepEqual(backend.calls, [])
      assert.deepEqual(await factsOf(storage, session.id), [...opened, 'aborted'])
      await dispose()
    })

    test('while the backend is built waits for it no longer than the grace', async () => {
      const { storage, dispose } = open()
      let isBuilding = false
      const { manager, session, timers } = await openManager(storage, {
        ...scriptedBackend(untilAborted),
        factory: () => {
          isBuilding = true
          return new Promise(() => {})
        },
      })
      const { finished } = await manager.startTurn(session.id, message)
      await until(() => isBuilding)
      const stopped = manager.stopSession(session.id)
      await until(() => timers.waiting.includes(graceMs))
      timers.advance(graceMs)
      assert.deepEqual([(await stopped)?.state, (await finished).state], ['aborted', 'aborted'])
      const closing = manager.close()
      await until(() => timers.waiting.includes(graceMs))
      timers.advance(graceMs)
      await closing
      await dispose()
    })

    test('takes a backend that throws when it is aborted for stopped', async () => {
      const { storage, dispose } = open()
      const { manager, session, backend } = await openManager(storage, async function* ({ turnId, abortSignal }) {
        await aborted(abortSignal)
        abortSignal.throwIfAborted()
        yield eventsOf(turnId).text('too late')
      })
      const { finished } = await manager.startTurn(session.id, message)
      await until(() => backend.calls.length === 1)
      await manager.stopSession(session.id)
      assert.deepEqual((await finished).ending, byUser)
      assert.deepEqual(await factsOf(storage, session.id), [...opened, 'aborted'])
      await dispose()
    })

    test('goes on when the backend fails to stop, and says so', async () => {
      const { storage, dispose } = open()
      const failing = scriptedBackend(untilAborted, { stop: () => Promise.reject(new Error('no')) })
      const { manager, session, warnings } = await openManager(storage, failing)
      const { finished } = await manager.startTurn(session.id, message)
      await until(() => failing.calls.length === 1)
      await manager.stopSession(session.id)
      assert.equal((await finished).state, 'aborted')
      assert.match(warnings[0]!, /failed when it was asked to end/)
      await dispose()
    })

    test('of an idle, a finished or an unknown session stops nothing', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, async function* ({ turnId }) {
        yield eventsOf(turnId).complete()
      })
      assert.equal(await manager.stopSession(session.id), undefined)
      await takeAll(manager.sendMessage(session.id, message))
      assert.equal(await manager.stopSession(session.id), undefined)
      await assert.rejects(manager.stopSession('nowhere'), { code: 'SESSION_NOT_FOUND' })
      await assert.rejects(manager.stopSession(session.id, { tenant: 'acme' }), { code: 'SESSION_NOT_FOUND' })
      assert.equal((await endingOf(storage, session.id))?.stopReason, 'end_turn')
      await dispose()
    })
  })

  describe(`close on ${name}`, () => {
    test('stops the turns, waits for their terminals, disposes of the backends, and is the same when called again', async () => {
      const { storage, dispose } = open()
      const { manager, session, backend } = await openManager(storage, untilAborted)
      const { finished } = await manager.startTurn(session.id, message)
      await until(() => backend.calls.length === 1)
      await Promise.all([manager.close(), manager.close()])
      await manager.close()
      assert.deepEqual((await finished).ending, { stopReason: 'user_stop', abortSource: 'manager_closed' })
      assert.deepEqual(backend.calls, ['send turn-1', 'stop manager_closed', 'dispose'])
      await assertWhole(storage)
      await dispose()
    })

    test('refuses what comes after it, and still reads', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, untilAborted)
      await manager.close()
      await assert.rejects(manager.startTurn(session.id, message), { code: 'MANAGER_CLOSED' })
      await assert.rejects(manager.sendMessage(session.id, message).next(), { code: 'MANAGER_CLOSED' })
      assert.deepEqual(await manager.listInvocations(session.id), [])
      await dispose()
    })

    test('ends a turn that is being opened', async () => {
      const { storage, dispose } = open()
      const { manager, session, backend } = await openManager(storage, untilAborted)
      const started = manager.startTurn(session.id, message)
      await manager.close()
      assert.equal((await (await started).finished).state, 'aborted')
      assert.deepEqual(backend.calls, ['dispose'])
      await assertWhole(storage)
      await dispose()
    })

    test('lets a consumer that is reading see the end', async () => {
      const { storage, dispose } = open()
      const { manager, session, backend } = await openManager(storage, untilAborted)
      const told = takeAll(manager.sendMessage(session.id, message))
      await until(() => backend.calls.length === 1)
      await manager.close()
      assert.equal((await told).at(-1)?.type, 'abort')
      await dispose()
    })
  })
}
