import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OpenedStorage, RuntimeEventStore } from '@daybook/core'
import { fakeClock } from '@daybook/testing'
import { assertWhole, factsOf } from '../../test/ledger-facts.ts'
import { openManager, type TestManager } from '../../test/open-manager.ts'
import { aborted, eventsOf, type Script, scriptedBackend } from '../../test/scripted-backend.ts'
import { storageKinds } from '../../test/storages.ts'
import { quiet, until } from '../../test/until.ts'
import { world } from '../../test/world.ts'

const message = { turnId: 'turn-1', text: 'hi' }
const opened = ['invocation_opened', 'user:hi']
const byUser = { stopReason: 'user_stop', abortSource: 'user' }
const graceMs = 5000
const leaseMs = 3000
const stopPollMs = 25

const untilStopped: Script = async function* ({ turnId, abortSignal }) {
  const say = eventsOf(turnId)
  yield say.call('c1')
  yield say.delta('so f')
  await aborted(abortSignal)
  yield say.complete()
}
const neverEnds: Script = async function* ({ turnId }) {
  const say = eventsOf(turnId)
  yield say.call('c1')
  yield say.delta('so far')
  await new Promise(() => {})
}

/** Lets time pass for the managers, a poll at a time, until the promise settles. */
async function whileTimePasses<T>(promise: Promise<T>, ...managers: TestManager[]): Promise<T> {
  let isSettled = false
  const settle = (): void => void (isSettled = true)
  promise.then(settle, settle)
  while (!isSettled) {
    for (const { timers } of managers) timers.advance(stopPollMs)
    await quiet()
  }
  return promise
}

async function openTwo(storage: OpenedStorage, script: Script): Promise<[owner: TestManager, other: TestManager]> {
  return [await openManager(storage, script, { graceMs }), await openManager(storage, untilStopped, { graceMs })]
}

for (const { name, open } of storageKinds) {
  describe(`stopSession on ${name} of a turn that another process answers`, () => {
    test('during a tool reaches its backend once, keeps what was said, and resolves when the end is durable', async () => {
      const { storage, dispose } = open()
      const [owner, other] = await openTwo(storage, untilStopped)
      const { finished } = await owner.manager.startTurn(owner.session.id, message)
      await until(() => owner.backend.calls.length === 1)
      await quiet()
      const outcome = await whileTimePasses(other.manager.stopSession(owner.session.id), owner, other)
      assert.deepEqual([outcome?.turnId, outcome?.state, outcome?.ending], ['turn-1', 'aborted', byUser])
      assert.deepEqual(outcome, await finished)
      assert.deepEqual(owner.backend.calls, ['send turn-1', 'stop user'])
      assert.deepEqual(other.backend.calls, [])
      assert.deepEqual(await factsOf(storage, owner.session.id), [
        ...opened,
        'function_call:c1',
        'text:so f:interrupted',
        'function_response:unknown',
        'aborted',
      ])
      await quiet()
      assert.deepEqual([owner.timers.waiting, other.timers.waiting], [[], []])
      await assertWhole(storage)
      await dispose()
    })

    test('ends also a backend that never does, after the grace', async () => {
      const { storage, dispose } = open()
      const [owner, other] = await openTwo(storage, neverEnds)
      await owner.manager.startTurn(owner.session.id, message)
      await until(() => owner.backend.calls.length === 1)
      await quiet()
      const outcome = await whileTimePasses(other.manager.stopSession(owner.session.id), owner, other)
      assert.deepEqual(outcome?.ending, byUser)
      assert.equal(owner.backend.calls.filter((call) => call.startsWith('stop')).length, 1)
      await assertWhole(storage)
      await dispose()
    })

    test('before the first event does not ask the backend at all', async () => {
      const { storage, dispose } = open()
      const building = Promise.withResolvers<void>()
      const { factory, ...backend } = scriptedBackend(untilStopped)
      const owner = await openManager(storage, {
        ...backend,
        async factory(context) {
          await building.promise
          return factory(context)
        },
      })
      const other = await openManager(storage, untilStopped)
      await owner.manager.startTurn(owner.session.id, message)
      const stopped = other.manager.stopSession(owner.session.id)
      await quiet()
      owner.timers.advance(stopPollMs)
      await quiet()
      building.resolve()
      assert.deepEqual((await whileTimePasses(stopped, owner, other))?.ending, byUser)
      assert.deepEqual(backend.calls, [])
      assert.deepEqual(await factsOf(storage, owner.session.id), [...opened, 'aborted'])
      await dispose()
    })

    test('asked twice, by several, is one stop with one outcome for all', async () => {
      const { storage, dispose } = open()
      const [owner, other] = await openTwo(storage, untilStopped)
      const third = await openManager(storage, untilStopped)
      await owner.manager.startTurn(owner.session.id, message)
      await until(() => owner.backend.calls.length === 1)
      const stops = [other, other, third, owner].map(({ manager }) => manager.stopSession(owner.session.id))
      const outcomes = await whileTimePasses(Promise.all(stops), owner, other, third)
      for (const outcome of outcomes) assert.deepEqual(outcome, outcomes[0])
      assert.deepEqual(owner.backend.calls, ['send turn-1', 'stop user'])
      await assertWhole(storage)
      await dispose()
    })

    test('while it is ending changes nothing of its end', async () => {
      const { storage, dispose } = open()
      const ending = Promise.withResolvers<void>()
      let isEnding = false
      const events: RuntimeEventStore = Object.assign(Object.create(storage.events), {
        async append(request: Parameters<RuntimeEventStore['append']>[0]) {
          isEnding = request.events.some(({ status }) => status !== undefined)
          if (isEnding) await ending.promise
          return storage.events.append(request)
        },
      })
      const [owner] = await openTwo({ ...storage, events }, async function* ({ turnId }) {
        yield eventsOf(turnId).complete()
      })
      const other = await openManager(storage, untilStopped)
      await owner.manager.startTurn(owner.session.id, message)
      await until(() => isEnding)
      const stopped = other.manager.stopSession(owner.session.id)
      for (let polls = 0; polls < 3; polls++) {
        for (const { timers } of [owner, other]) timers.advance(stopPollMs)
        await quiet()
      }
      ending.resolve()
      const outcome = await whileTimePasses(stopped, owner, other)
      assert.deepEqual([outcome?.state, outcome?.ending], ['completed', { stopReason: 'end_turn' }])
      assert.deepEqual(owner.backend.calls, ['send turn-1'])
      await dispose()
    })

    test('of a finished turn stops nothing', async () => {
      const { storage, dispose } = open()
      const [owner, other] = await openTwo(storage, async function* ({ turnId }) {
        yield eventsOf(turnId).complete()
      })
      await (
        await owner.manager.startTurn(owner.session.id, message)
      ).finished
      assert.equal(await other.manager.stopSession(owner.session.id), undefined)
      await assert.rejects(other.manager.stopSession(owner.session.id, { tenant: 'acme' }), {
        code: 'SESSION_NOT_FOUND',
      })
      await dispose()
    })

    test('whose process is dead ends it here, and tells how', async () => {
      const { storage, dispose } = open()
      const owner = await openManager(storage, neverEnds, { processTable: world('1') })
      const { runId } = await owner.manager.startTurn(owner.session.id, message)
      await quiet()
      const other = await openManager(storage, untilStopped, { processTable: world('2') })
      const outcome = await other.manager.stopSession(owner.session.id)
      assert.deepEqual([outcome?.runId, outcome?.state], [runId, 'failed'])
      assert.deepEqual(outcome?.ending?.failureCode, 'app_restarted')
      assert.deepEqual(other.timers.waiting, [])
      await assertWhole(storage)
      await dispose()
    })

    test('whose lease expires while one waits is ended here', async () => {
      const clock = fakeClock(0)
      const { storage, dispose } = open(clock.now)
      const owner = await openManager(storage, neverEnds, { leaseMs, now: clock.now })
      await owner.manager.startTurn(owner.session.id, message)
      const other = await openManager(storage, untilStopped, { leaseMs })
      const stopped = other.manager.stopSession(owner.session.id)
      await quiet()
      clock.advance(leaseMs)
      const outcome = await whileTimePasses(stopped, other)
      assert.deepEqual([outcome?.state, outcome?.ending?.failureCode], ['failed', 'app_restarted'])
      await assertWhole(storage)
      await dispose()
    })

    test('gives up waiting with a typed error, and the request stays', async () => {
      const { storage, dispose } = open()
      const [owner] = await openTwo(storage, untilStopped)
      const { runId, finished } = await owner.manager.startTurn(owner.session.id, message)
      const other = await openManager(storage, untilStopped, { stopWaitMs: 100 })
      const stopped = other.manager.stopSession(owner.session.id)
      await assert.rejects(whileTimePasses(stopped, other), { code: 'STOP_PENDING', runId, waitedMs: 100 })
      await whileTimePasses(finished, owner)
      assert.deepEqual((await finished).ending, byUser)
      assert.deepEqual(other.timers.waiting, [])
      await assertWhole(storage)
      await dispose()
    })

    test('warns once while requests cannot be read, and hears of them afterwards', async () => {
      const { storage, dispose } = open()
      let isDown = true
      const runs = Object.assign(Object.create(storage.runs), {
        listStopRequests: (...args: Parameters<typeof storage.runs.listStopRequests>) =>
          isDown ? Promise.reject(new Error('down')) : storage.runs.listStopRequests(...args),
      })
      const owner = await openManager({ ...storage, runs }, untilStopped)
      const other = await openManager(storage, untilStopped)
      const { finished } = await owner.manager.startTurn(owner.session.id, message)
      const stopped = other.manager.stopSession(owner.session.id)
      for (let polls = 0; polls < 3; polls++) {
        owner.timers.advance(stopPollMs)
        await quiet()
      }
      assert.deepEqual(owner.warnings, ['what other processes stop or answer cannot be read'])
      isDown = false
      await whileTimePasses(stopped, owner, other)
      assert.equal((await finished).state, 'aborted')
      await dispose()
    })
  })
}
