import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LedgerDamagedError, type OpenedStorage, type RuntimeEventStore } from '@daybook/core'
import { fakeClock } from '@daybook/testing'
import { assertWhole, endingOf, factsOf } from '../../test/ledger-facts.ts'
import { openManager, type TestManager } from '../../test/open-manager.ts'
import { aborted, eventsOf, type Script } from '../../test/scripted-backend.ts'
import { storageKinds } from '../../test/storages.ts'
import { takeAll } from '../../test/take.ts'
import { quiet, until } from '../../test/until.ts'
import { world } from '../../test/world.ts'

const leaseMs = 3000
const message = { turnId: 'turn-1', text: 'hi' }
const ended = [
  'invocation_opened',
  'user:hi',
  'function_call:c1',
  'error:app_restarted',
  'function_response:unknown',
  'failed',
]
const appRestarted = { stopReason: 'error', failureCode: 'app_restarted' }

const runATool: Script = async function* ({ turnId, abortSignal }) {
  const say = eventsOf(turnId)
  yield say.call('c1')
  await aborted(abortSignal)
}
const answer: Script = async function* ({ turnId }) {
  const say = eventsOf(turnId)
  yield say.text('hello')
  yield say.complete()
}

/** Sessions in the middle of a tool, whose process is the first in its world. */
async function leaveInTools(storage: OpenedStorage, count: number): Promise<{ dead: TestManager; sessions: string[] }> {
  const dead = await openManager(storage, runATool, { processTable: world('1') })
  const sessions: string[] = []
  for (let index = 0; index < count; index++) {
    const { id } = await dead.manager.createSession({})
    await dead.manager.startTurn(id, message)
    sessions.push(id)
  }
  await until(() => dead.backend.calls.length === count)
  await quiet()
  return { dead, sessions }
}

for (const { name, open } of storageKinds) {
  describe(`recover on ${name}`, () => {
    test('ends what dead processes left, in all sessions, and the sessions take the next message', async () => {
      const { storage, dispose } = open()
      const { sessions } = await leaveInTools(storage, 20)
      const { manager } = await openManager(storage, answer, { processTable: world('2') })
      assert.deepEqual(await manager.recover(), { closed: 20, left: 0, expired: 0, failed: [] })
      assert.deepEqual(await manager.recover(), { closed: 0, left: 0, expired: 0, failed: [] })
      for (const id of sessions) {
        assert.deepEqual(await factsOf(storage, id), ended)
        assert.deepEqual(await endingOf(storage, id), appRestarted)
      }
      const told = await takeAll(manager.sendMessage(sessions[0]!, { text: 'and now?' }))
      assert.equal(told.at(-1)?.type, 'complete')
      await assertWhole(storage)
      await dispose()
    })

    test('leaves what a living process drives, its own turns too, until a lease has expired', async () => {
      const clock = fakeClock(0)
      const { storage, dispose } = open(clock.now)
      const living = await openManager(storage, runATool, { leaseMs, now: clock.now })
      await living.manager.startTurn(living.session.id, message)
      await until(() => living.backend.calls.length === 1)
      await quiet()
      const other = await openManager(storage, answer, { leaseMs })
      const own = await other.manager.startTurn(other.session.id, message)
      await own.finished
      assert.deepEqual(await other.manager.recover(), { closed: 0, left: 1, expired: 0, failed: [] })
      clock.advance(leaseMs)
      assert.deepEqual(
        await living.manager.recover(),
        { closed: 0, left: 1, expired: 0, failed: [] },
        'it drives the run itself',
      )
      assert.deepEqual(await other.manager.recover(), { closed: 1, left: 0, expired: 0, failed: [] })
      assert.deepEqual(await factsOf(storage, living.session.id), ended)
      await assertWhole(storage)
      await dispose()
    })

    test('ends each run once when many recover at once', async () => {
      const { storage, dispose } = open()
      const { sessions } = await leaveInTools(storage, 30)
      const others = await Promise.all(
        // All of one living process: in worlds of their own each would take the others for dead.
        Array.from({ length: 4 }, () => openManager(storage, answer, { processTable: world('2') })),
      )
      const reports = await Promise.all([...others, ...others].map(({ manager }) => manager.recover()))
      const failed = reports.flatMap((report) => report.failed)
      assert.deepEqual(failed, [])
      for (const id of sessions) assert.deepEqual(await factsOf(storage, id), ended)
      const runs = await Promise.all(
        sessions.map(async (id) => (await storage.events.listSessionInvocations(id))[0]!.runId),
      )
      for (const runId of runs) assert.equal((await storage.runs.readRun(runId))?.epoch, 2)
      await assertWhole(storage)
      await dispose()
    })

    test('reports a damaged session, leaves it, and ends the others', async () => {
      const { storage, dispose } = open()
      const { sessions } = await leaveInTools(storage, 3)
      const { runId } = (await storage.runs.readActiveRun(sessions[1]!))!
      const error = new LedgerDamagedError(sessions[1]!, 'event 3', 'is no JSON')
      let isDamaged = true
      const events: RuntimeEventStore = Object.assign(Object.create(storage.events), {
        readRunRuntimeEvents: (...args: Parameters<RuntimeEventStore['readRunRuntimeEvents']>) =>
          isDamaged && args[0] === runId ? Promise.reject(error) : storage.events.readRunRuntimeEvents(...args),
      })
      const { manager } = await openManager({ ...storage, events }, answer, { processTable: world('2') })
      const failed = [{ sessionId: sessions[1]!, runId, error }]
      assert.deepEqual(await manager.recover(), { closed: 2, left: 0, expired: 0, failed })
      assert.deepEqual(await manager.recover(), { closed: 0, left: 0, expired: 0, failed })
      assert.deepEqual(await factsOf(storage, sessions[1]!), ended.slice(0, 3))
      isDamaged = false
      assert.deepEqual(await manager.recover(), { closed: 1, left: 0, expired: 0, failed: [] })
      await assertWhole(storage)
      await dispose()
    })

    test('ends no more than the limit, nothing after it is aborted, and goes on from there', async () => {
      const { storage, dispose } = open()
      await leaveInTools(storage, 20)
      const { manager } = await openManager(storage, answer, { processTable: world('2') })
      assert.equal((await manager.recover({ signal: AbortSignal.abort() })).closed, 0)
      assert.equal((await manager.recover({ limit: 1 })).closed, 1)
      assert.equal((await manager.recover({ limit: 17 })).closed, 17)
      for (const limit of [0, -1, 1.5, Number.NaN]) {
        await assert.rejects(manager.recover({ limit }), { code: 'INVALID_INPUT', field: 'limit' })
      }
      assert.equal((await manager.recover()).closed, 2)
      await manager.close()
      await assert.rejects(manager.recover(), { code: 'MANAGER_CLOSED' })
      await dispose()
    })
  })

  describe(`a recovery schedule on ${name}`, () => {
    test('recovers at start, then again and again, until the manager is closed', async () => {
      const { storage, dispose } = open()
      const { sessions } = await leaveInTools(storage, 1)
      const options = { processTable: world('2'), recovery: { atStart: true, everyMs: 1000 } }
      const { manager, timers } = await openManager(storage, answer, options)
      await quiet()
      assert.deepEqual(await factsOf(storage, sessions[0]!), ended)
      const later = await leaveInTools(storage, 1)
      timers.advance(1000)
      await quiet()
      assert.deepEqual(await factsOf(storage, later.sessions[0]!), ended)
      await manager.close()
      assert.deepEqual(timers.waiting, [])
      await dispose()
    })

    test('warns of what it could not end, and goes on', async () => {
      const { storage, dispose } = open()
      const { sessions } = await leaveInTools(storage, 1)
      let failure: 'events' | 'list' | undefined = 'events'
      const events: RuntimeEventStore = Object.assign(Object.create(storage.events), {
        readRunRuntimeEvents: (...args: Parameters<RuntimeEventStore['readRunRuntimeEvents']>) =>
          failure === 'events' ? Promise.reject(new Error('bad')) : storage.events.readRunRuntimeEvents(...args),
      })
      const runs = Object.assign(Object.create(storage.runs), {
        listUnfinishedRuns: (...args: Parameters<typeof storage.runs.listUnfinishedRuns>) =>
          failure === 'list' ? Promise.reject(new Error('gone')) : storage.runs.listUnfinishedRuns(...args),
      })
      const options = { processTable: world('2'), recovery: { everyMs: 1000 } }
      const { timers, warnings } = await openManager({ ...storage, events, runs }, answer, options)
      const pass = async (): Promise<void> => {
        timers.advance(1000)
        await quiet()
      }
      await pass()
      failure = 'list'
      await pass()
      failure = undefined
      await pass()
      assert.match(warnings[0]!, /could not be recovered, and is left as it is/)
      assert.match(warnings[1]!, /could not be looked for/)
      assert.equal(warnings.length, 2)
      assert.deepEqual(await factsOf(storage, sessions[0]!), ended)
      await dispose()
    })
  })
}
