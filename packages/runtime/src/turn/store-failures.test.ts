import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { StorageBusyError, StorageFullError, StorageIoError } from '@daybook/core'
import { withFaultyAppends } from '../../test/faulty-events.ts'
import { assertWhole, endingOf, factsOf } from '../../test/ledger-facts.ts'
import { openManager } from '../../test/open-manager.ts'
import { eventsOf, type Script } from '../../test/scripted-backend.ts'
import { storageKinds } from '../../test/storages.ts'
import { takeAll, typesOf } from '../../test/take.ts'

const play: Script = async function* ({ turnId }) {
  const say = eventsOf(turnId)
  yield say.delta('he')
  yield say.text('hello')
  yield say.complete()
}
const message = { turnId: 'turn-1', text: 'hi' }
const opened = ['invocation_opened', 'user:hi']

for (const { name, open } of storageKinds) {
  describe(`a turn on ${name} whose store`, () => {
    test('is busy once goes on', async () => {
      const { storage, dispose } = open()
      const faulty = withFaultyAppends(storage, (attempt) =>
        attempt === 1 ? { error: new StorageBusyError(5) } : undefined,
      )
      const { manager, session } = await openManager(faulty, play)
      assert.deepEqual(await typesOf(manager.sendMessage(session.id, message)), [
        'text_delta',
        'text_complete',
        'complete',
      ])
      assert.deepEqual(await factsOf(storage, session.id), [...opened, 'text:hello', 'completed'])
      await assertWhole(storage)
      await dispose()
    })

    test('does not say whether it wrote stores and tells each event once', async () => {
      const { storage, dispose } = open()
      const error = new StorageIoError('the connection was lost')
      const faulty = withFaultyAppends(storage, (attempt) => (attempt % 2 === 1 ? { error, written: true } : undefined))
      const { manager, session } = await openManager(faulty, play)
      assert.deepEqual(await typesOf(manager.sendMessage(session.id, message)), [
        'text_delta',
        'text_complete',
        'complete',
      ])
      assert.deepEqual(await factsOf(storage, session.id), [...opened, 'text:hello', 'completed'])
      await assertWhole(storage)
      await dispose()
    })

    test('refuses a fact for good: the turn fails in the ledger, and the caller gets the error of the store', async () => {
      const { storage, dispose } = open()
      const error = new StorageFullError()
      const faulty = withFaultyAppends(storage, (attempt) => (attempt === 1 ? { error } : undefined))
      const { manager, session, backend } = await openManager(faulty, play)
      const iterator = manager.sendMessage(session.id, message)
      assert.equal((await iterator.next()).value?.type, 'text_delta')
      await assert.rejects(iterator.next(), error)
      assert.deepEqual(await iterator.next(), { done: true, value: undefined })
      assert.deepEqual(await factsOf(storage, session.id), [
        ...opened,
        'error:STORAGE_FULL',
        'text:he:interrupted',
        'failed',
      ])
      assert.deepEqual(await endingOf(storage, session.id), { stopReason: 'error', failureCode: 'STORAGE_FULL' })
      assert.deepEqual(backend.calls, ['send turn-1', 'stop turn_failed'])
      await assertWhole(storage)
      await dispose()
    })

    test('refuses a fact for good keeps a text that has begun under the id of one before it', async () => {
      const { storage, dispose } = open()
      const error = new StorageFullError()
      const faulty = withFaultyAppends(storage, (attempt) => (attempt === 2 ? { error } : undefined))
      const { manager, session } = await openManager(faulty, async function* ({ turnId }) {
        const say = eventsOf(turnId)
        yield say.text('hello', 'm')
        yield say.delta('and', 'm')
        yield say.call('c1')
      })
      await assert.rejects(takeAll(manager.sendMessage(session.id, message)), error)
      const facts = await factsOf(storage, session.id)
      assert.deepEqual(facts.slice(2), ['text:hello', 'error:STORAGE_FULL', 'text:and:interrupted', 'failed'])
      await assertWhole(storage)
      await dispose()
    })

    test('wrote a call without saying so: the call is closed with the turn', async () => {
      const { storage, dispose } = open()
      const error = new StorageIoError('the connection was lost')
      const faulty = withFaultyAppends(storage, (attempt) => (attempt <= 5 ? { error, written: true } : undefined))
      const { manager, session } = await openManager(faulty, async function* ({ turnId }) {
        yield eventsOf(turnId).call('c1')
      })
      await assert.rejects(takeAll(manager.sendMessage(session.id, message)), error)
      assert.deepEqual(await factsOf(storage, session.id), [
        ...opened,
        'function_call:c1',
        'error:STORAGE_IO',
        'function_response:unknown',
        'failed',
      ])
      await assertWhole(storage)
      await dispose()
    })

    test('throws what is no error of Daybook is tried again, and its error is passed on as it is', async () => {
      const { storage, dispose } = open()
      const error = new TypeError('a bug of a store')
      let attempts = 0
      const faulty = withFaultyAppends(storage, (attempt) => {
        attempts = attempt
        return attempt <= 3 ? { error } : undefined
      })
      const { manager, session } = await openManager(faulty, play)
      const { finished } = await manager.startTurn(session.id, message)
      const outcome = await finished
      assert.deepEqual([outcome.state, outcome.ending?.failureCode, outcome.error], ['failed', 'store_failed', error])
      assert.equal(attempts, 4)
      await assertWhole(storage)
      await dispose()
    })

    test('never writes again leaves the run unfinished, says so to everyone, and recovers later', async () => {
      const { storage, dispose } = open()
      let isDown = true
      const error = new StorageFullError()
      const faulty = withFaultyAppends(storage, () => (isDown ? { error } : undefined))
      const { manager, session } = await openManager(faulty, play)
      const { finished, runId, invocationId } = await manager.startTurn(session.id, message)
      const stopped = manager.stopSession(session.id)
      assert.deepEqual(await finished, { turnId: 'turn-1', runId, invocationId, state: 'running', error })
      await assert.rejects(stopped, error)
      assert.deepEqual(await factsOf(storage, session.id), opened)
      await assert.rejects(takeAll(manager.sendMessage(session.id, { text: 'more' })), error, 'still down')

      isDown = false
      assert.deepEqual(await typesOf(manager.sendMessage(session.id, { turnId: 'turn-2', text: 'more' })), [
        'text_delta',
        'text_complete',
        'complete',
      ])
      assert.deepEqual(await factsOf(storage, session.id), [
        ...opened,
        'error:storage_unavailable',
        'failed',
        'invocation_opened',
        'user:more',
        'text:hello',
        'completed',
      ])
      const [first] = await manager.listInvocations(session.id)
      assert.deepEqual(first?.terminalEvent?.actions?.ending, {
        stopReason: 'error',
        failureCode: 'storage_unavailable',
      })
      await manager.close()
      await assertWhole(storage)
      await dispose()
    })

    test('is taken over by another process stops and writes nothing more', async () => {
      const { storage, dispose } = open()
      const { manager, session, backend } = await openManager(storage, async function* ({ turnId }) {
        const say = eventsOf(turnId)
        yield say.text('mine')
        yield say.text('late')
        yield say.complete()
      })
      const iterator = manager.sendMessage(session.id, message)
      await iterator.next()
      const run = (await storage.runs.readActiveRun(session.id))!
      await storage.runs.claimRun({
        runId: run.runId,
        expectedEpoch: 1,
        owner: { ...run.owner, pid: run.owner.pid + 1 },
        ownerIsGone: true,
      })
      await assert.rejects(iterator.next(), { code: 'STALE_OWNER' })
      assert.deepEqual(await factsOf(storage, session.id), [...opened, 'text:mine'])
      assert.equal(backend.calls.at(-1), 'stop turn_failed')
      await manager.close()
      await dispose()
    })

    test('cannot read the history fails the turn before the backend is asked', async () => {
      const { storage, dispose } = open()
      const error = new StorageIoError('bad sector')
      const events = Object.assign(Object.create(storage.events), {
        readSessionRuntimeEvents: () => Promise.reject(error),
      })
      const { manager, session, backend } = await openManager({ ...storage, events }, play)
      await assert.rejects(takeAll(manager.sendMessage(session.id, message)), error)
      assert.deepEqual(await factsOf(storage, session.id), [...opened, 'error:STORAGE_IO', 'failed'])
      assert.deepEqual(backend.calls, [])
      await assertWhole(storage)
      await dispose()
    })

    test('opened the run without saying so goes on with that run', async () => {
      const { storage, dispose } = open()
      let attempts = 0
      const runs = Object.assign(Object.create(storage.runs), {
        async openRun(request: Parameters<typeof storage.runs.openRun>[0]) {
          const run = await storage.runs.openRun(request)
          if (++attempts === 1) throw new StorageIoError('the connection was lost')
          return run
        },
      })
      const { manager, session } = await openManager({ ...storage, runs }, play)
      assert.deepEqual(await typesOf(manager.sendMessage(session.id, message)), [
        'text_delta',
        'text_complete',
        'complete',
      ])
      assert.deepEqual(await factsOf(storage, session.id), [...opened, 'text:hello', 'completed'])
      await assertWhole(storage)
      await dispose()
    })

    test('opened the run and then was gone recovers that run before the next turn', async () => {
      const { storage, dispose } = open()
      let isDown = true
      const runs = Object.assign(Object.create(storage.runs), {
        async openRun(request: Parameters<typeof storage.runs.openRun>[0]) {
          if (!isDown) return storage.runs.openRun(request)
          await storage.runs.openRun(request).catch(() => {})
          throw new StorageIoError('the connection was lost')
        },
      })
      const { manager, session } = await openManager({ ...storage, runs }, play)
      await assert.rejects(manager.startTurn(session.id, message), { code: 'STORAGE_IO' })
      isDown = false
      await takeAll(manager.sendMessage(session.id, { text: 'more' }))
      const ends = (await manager.listInvocations(session.id)).map(({ terminalEvent }) => terminalEvent?.status)
      assert.deepEqual(ends, ['failed', 'completed'])
      await assertWhole(storage)
      await dispose()
    })
  })
}
