import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type AgentRunStore, type OpenedStorage, StorageBusyError } from '@daybook/core'
import { fakeClock } from '@daybook/testing'
import { assertWhole, factsOf } from '../../test/ledger-facts.ts'
import { openManager, type TestManager } from '../../test/open-manager.ts'
import { aborted, eventsOf, type Script } from '../../test/scripted-backend.ts'
import { storageKinds } from '../../test/storages.ts'
import { takeAll } from '../../test/take.ts'
import { quiet, until } from '../../test/until.ts'

const leaseMs = 3000
const beatMs = leaseMs / 3
const message = { turnId: 'turn-1', text: 'hi' }
const inATool = ['invocation_opened', 'user:hi', 'function_call:c1']

/** Runs a tool until it is stopped, and takes the result then. */
const runATool: Script = async function* ({ turnId, abortSignal }) {
  const say = eventsOf(turnId)
  yield say.call('c1')
  await aborted(abortSignal)
  yield say.result('c1')
  yield say.complete()
}

/** What another process does that takes the session's run for an orphan. */
async function takeOver({ runs }: OpenedStorage, sessionId: string): Promise<void> {
  const run = (await runs.readActiveRun(sessionId))!
  const owner = { ...run.owner, pid: run.owner.pid + 1 }
  await runs.claimRun({ runId: run.runId, expectedEpoch: run.epoch, owner, ownerIsGone: true, leaseMs })
}

async function leaseOf({ runs }: OpenedStorage, { session }: TestManager): Promise<number | null | undefined> {
  return (await runs.readActiveRun(session.id))?.leaseExpiresAt
}

for (const { name, open } of storageKinds) {
  describe(`a live turn on ${name}`, () => {
    test('has a lease of the store’s clock, which is renewed three times in its time and no longer than it lives', async () => {
      const clock = fakeClock(1_000_000)
      const { storage, dispose } = open(clock.now)
      const manager = await openManager(storage, runATool, { leaseMs, now: clock.now })
      assert.deepEqual(manager.timers.waiting, [])
      const { finished } = await manager.manager.startTurn(manager.session.id, message)
      assert.equal(await leaseOf(storage, manager), 1_000_000 + leaseMs)
      for (let beat = 1; beat <= 4; beat++) {
        clock.advance(beatMs)
        manager.timers.advance(beatMs)
        await quiet()
        assert.equal(await leaseOf(storage, manager), 1_000_000 + beat * beatMs + leaseMs)
      }
      await manager.manager.stopSession(manager.session.id)
      await finished
      await quiet()
      assert.deepEqual([manager.timers.waiting, manager.warnings], [[], []])
      await dispose()
    })

    test('is renewed with all others in one call', async () => {
      const { storage, dispose } = open()
      const calls: number[] = []
      const runs: AgentRunStore = Object.assign(Object.create(storage.runs), {
        renewLeases(request: Parameters<AgentRunStore['renewLeases']>[0]) {
          calls.push(request.runs.length)
          return storage.runs.renewLeases(request)
        },
      })
      const { manager, timers } = await openManager({ ...storage, runs }, runATool, { leaseMs })
      for (let count = 0; count < 5; count++) await manager.startTurn((await manager.createSession({})).id, message)
      timers.advance(beatMs)
      await quiet()
      assert.deepEqual(calls, [5])
      await manager.close()
      await dispose()
    })

    test('whose lease expired before it was renewed says so, and goes on where nobody claimed it', async () => {
      const clock = fakeClock(0)
      const { storage, dispose } = open(clock.now)
      const manager = await openManager(storage, runATool, { leaseMs, now: clock.now })
      await manager.manager.startTurn(manager.session.id, message)
      clock.advance(leaseMs + 7)
      manager.timers.advance(beatMs)
      await quiet()
      assert.match(manager.warnings[0]!, /renewed 7 ms after they expired/)
      assert.equal(await leaseOf(storage, manager), 2 * leaseMs + 7)
      assert.equal((await manager.manager.stopSession(manager.session.id))?.state, 'aborted')
      await manager.manager.close()
      await dispose()
    })

    test('is renewed later when the store was busy, and says so', async () => {
      const { storage, dispose } = open()
      let failures = 1
      const runs: AgentRunStore = Object.assign(Object.create(storage.runs), {
        renewLeases(request: Parameters<AgentRunStore['renewLeases']>[0]) {
          return failures-- > 0 ? Promise.reject(new StorageBusyError(5)) : storage.runs.renewLeases(request)
        },
      })
      const manager = await openManager({ ...storage, runs }, runATool, { leaseMs })
      await manager.manager.startTurn(manager.session.id, message)
      for (let beat = 0; beat < 2; beat++) {
        manager.timers.advance(beatMs)
        await quiet()
      }
      assert.deepEqual([failures, manager.warnings], [-1, ['the leases of 1 runs could not be renewed']])
      await manager.manager.close()
      await dispose()
    })

    test('that another process took over is given up at once: the backend is stopped, nothing more is written', async () => {
      const { storage, dispose } = open()
      const manager = await openManager(
        storage,
        async function* ({ turnId }) {
          yield eventsOf(turnId).call('c1')
          await new Promise(() => {})
        },
        { leaseMs },
      )
      const told = takeAll(manager.manager.sendMessage(manager.session.id, message))
      const failing = assert.rejects(told, { code: 'STALE_OWNER', epoch: 1, currentEpoch: 2 })
      await until(() => manager.backend.calls.length === 1)
      await quiet()
      await takeOver(storage, manager.session.id)
      manager.timers.advance(beatMs)
      await failing
      await quiet()
      assert.deepEqual(manager.backend.calls, ['send turn-1', 'stop owner_replaced', 'dispose'])
      assert.deepEqual(await factsOf(storage, manager.session.id), inATool)
      assert.match(manager.warnings[0]!, /is another process's now, and ends there$/)
      assert.deepEqual(manager.timers.waiting, [])
      await manager.manager.close()
      await dispose()
    })

    test('that another process took over is given up although its consumer does not read', async () => {
      const { storage, dispose } = open()
      const manager = await openManager(
        storage,
        async function* ({ turnId }) {
          const say = eventsOf(turnId)
          for (;;) yield say.delta('more')
        },
        { leaseMs },
      )
      const events = manager.manager.sendMessage(manager.session.id, message)
      await events.next()
      await quiet()
      await takeOver(storage, manager.session.id)
      manager.timers.advance(beatMs)
      await quiet()
      assert.deepEqual(manager.timers.waiting, [])
      await assert.rejects(takeAll(events), { code: 'STALE_OWNER' })
      await manager.manager.close()
      await dispose()
    })

    test('is renewed although another one of its process has ended', async () => {
      const { storage, dispose } = open()
      const manager = await openManager(storage, runATool, { leaseMs })
      const { id } = await manager.manager.createSession({})
      await manager.manager.startTurn(id, message)
      await manager.manager.startTurn(manager.session.id, message)
      const before = (await leaseOf(storage, manager))!
      await manager.manager.stopSession(id)
      await quiet()
      await storage.runs.renewLeases({
        runs: [{ runId: (await storage.runs.readActiveRun(manager.session.id))!.runId, epoch: 1 }],
        leaseMs: 1,
      })
      manager.timers.advance(beatMs)
      await quiet()
      assert.ok((await leaseOf(storage, manager))! >= before)
      await manager.manager.close()
      assert.deepEqual(manager.timers.waiting, [])
      await dispose()
    })

    test('notes a result that comes after another process took over, outside the ledger', async () => {
      const { storage, dispose } = open()
      const tool = Promise.withResolvers<void>()
      const manager = await openManager(storage, async function* ({ turnId }) {
        const say = eventsOf(turnId)
        yield say.call('c1')
        await tool.promise
        yield say.result('c1', 'too late')
        yield say.complete()
      })
      const { finished } = await manager.manager.startTurn(manager.session.id, message)
      await until(() => manager.backend.calls.length === 1)
      await quiet()
      await takeOver(storage, manager.session.id)
      tool.resolve()
      const { state, error, unrecorded } = await finished
      assert.deepEqual([state, (error as { code?: string }).code], ['running', 'STALE_OWNER'])
      assert.deepEqual(unrecorded?.type === 'tool_result' && unrecorded.result, 'too late')
      assert.match(manager.warnings[0]!, /a tool_result that came after that is not recorded/)
      assert.deepEqual(await factsOf(storage, manager.session.id), inATool)
      await manager.manager.close()
      await dispose()
    })

    test('that ended while its lease was renewed is not given up: its backend is left alone', async () => {
      const { storage, dispose } = open()
      const [tool, renewing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const runs: AgentRunStore = Object.assign(Object.create(storage.runs), {
        async renewLeases(request: Parameters<AgentRunStore['renewLeases']>[0]) {
          await renewing.promise
          return storage.runs.renewLeases(request)
        },
      })
      const manager = await openManager(
        { ...storage, runs },
        async function* ({ turnId }) {
          await tool.promise
          yield eventsOf(turnId).complete()
        },
        { leaseMs },
      )
      const { finished } = await manager.manager.startTurn(manager.session.id, message)
      manager.timers.advance(beatMs)
      tool.resolve()
      assert.equal((await finished).state, 'completed')
      renewing.resolve()
      await quiet()
      assert.deepEqual([manager.backend.calls, manager.warnings], [['send turn-1'], []])
      await manager.manager.close()
      await assertWhole(storage)
      await dispose()
    })

    test('that ended is not looked for by a renewal that is answered after the storage was closed', async () => {
      const { storage, dispose } = open()
      const renewed = Promise.withResolvers<readonly string[]>()
      const runs: AgentRunStore = Object.assign(Object.create(storage.runs), { renewLeases: () => renewed.promise })
      const manager = await openManager({ ...storage, runs }, runATool, { leaseMs })
      await manager.manager.startTurn(manager.session.id, message)
      manager.timers.advance(beatMs)
      await manager.manager.close()
      await dispose()
      renewed.resolve([])
      await quiet()
      assert.deepEqual(manager.warnings, [])
    })
  })
}
