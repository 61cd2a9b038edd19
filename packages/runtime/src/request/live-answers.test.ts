import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OpenedStorage, RequestRecord, RuntimeEventStore } from '@daybook/core'
import type { AgentBackend } from '@daybook/core/backend-types'
import { fakeClock } from '@daybook/testing'
import { approve, deny, openRequests } from '../../test/asking-backend.ts'
import { assertWhole, factsOf } from '../../test/ledger-facts.ts'
import { managerOver, openManager, type TestManager } from '../../test/open-manager.ts'
import { eventsOf, scriptedBackend, type ScriptedBackend } from '../../test/scripted-backend.ts'
import { type StorageKind, storageKinds } from '../../test/storages.ts'
import { quiet, until } from '../../test/until.ts'
import { world } from '../../test/world.ts'
import { stopPollMs } from '../turn/live-runs.ts'

const message = { turnId: 'turn-1', text: 'hi' }

/** Waits with its invocation open for the answers to a boundary and a question; then tells them as results. */
function liveBackend(expiresInMs?: number): ScriptedBackend & { readonly answers: unknown[] } {
  const answers: unknown[] = []
  const arrived = new Map([
    ['a of turn-1', Promise.withResolvers<unknown>()],
    ['b of turn-1', Promise.withResolvers<unknown>()],
  ])
  const take = async (response: { readonly requestId: string }): Promise<void> => {
    answers.push(response)
    arrived.get(response.requestId)?.resolve(response)
  }
  const backend = scriptedBackend(
    async function* ({ turnId, abortSignal }) {
      const say = eventsOf(turnId)
      const stopped = new Promise((_resolve, reject) =>
        abortSignal.addEventListener('abort', () => reject(new Error('stopped'))),
      )
      stopped.catch(() => {})
      for (const call of ['a', 'b']) yield say.call(call)
      yield say.boundary('a', 'a', expiresInMs)
      yield say.question('b', 'b')
      for (const call of ['a', 'b']) {
        await Promise.race([arrived.get(`${call} of turn-1`)!.promise, stopped])
        yield say.result(call)
      }
      yield say.complete()
    },
    {
      capabilities: { answers: 'live' },
      respondToSandboxBoundary: take,
      respondToUserQuestion: take,
    } satisfies Partial<AgentBackend>,
  )
  return { ...backend, answers }
}

interface Waiting extends TestManager {
  readonly storage: OpenedStorage
  readonly dispose: () => Promise<void>
  readonly answers: unknown[]
  readonly requests: readonly RequestRecord[]
  readonly finished: Promise<{ readonly state: string }>
}

async function waitingLive(
  { open }: StorageKind,
  storeClock = fakeClock(1000),
  expiresInMs?: number,
  wrap: (storage: OpenedStorage) => OpenedStorage = (storage) => storage,
): Promise<Waiting> {
  const { storage, dispose } = open(storeClock.now)
  const backend = liveBackend(expiresInMs)
  const opened = await openManager(wrap(storage), backend, { processTable: world('1') })
  const { finished } = await opened.manager.startTurn(opened.session.id, message)
  let facts: string[] = []
  while (facts.length < 6) {
    await quiet()
    facts = await factsOf(storage, opened.session.id)
  }
  const requests = await openRequests(opened.manager, opened.session.id)
  return { ...opened, storage, dispose, answers: backend.answers, requests, finished }
}

async function poll({ timers }: TestManager): Promise<void> {
  timers.advance(stopPollMs)
  await quiet()
}

for (const kind of storageKinds) {
  describe(`a turn on ${kind.name} that waits with its invocation open`, () => {
    test('gets its answers from another process, each once, and goes on', async () => {
      const waiting = await waitingLive(kind)
      const { session, requests, storage, answers, finished, dispose } = waiting
      assert.deepEqual(
        requests.map(({ wait }) => wait),
        ['live', 'live'],
      )
      const [boundary, question] = requests as [RequestRecord, RequestRecord]
      const other = managerOver(storage)
      const input = { answers: [approve(boundary, { args: { path: 'b' } })] }
      const answered = await other.answerRequests(session.id, input)
      assert.deepEqual([answered.turn, answered.requests[0]?.state], [undefined, 'approved'])
      for (let polls = 0; polls < 3; polls++) await poll(waiting)
      const { requestId, digest } = question
      await other.answerRequests(session.id, { answers: [{ requestId, digest, answer: 42 }] })
      for (let polls = 0; polls < 3; polls++) await poll(waiting)
      assert.equal((await finished).state, 'completed')
      assert.deepEqual(answers, [
        { requestId: boundary.requestId, decision: 'approved', args: { path: 'b' } },
        { requestId, answer: 42 },
      ])
      assert.equal((await factsOf(storage, session.id)).filter((fact) => fact === 'invocation_opened').length, 1)
      await assertWhole(storage)
      await dispose()
    })

    test('asks the store for answers only while it waits for some', async () => {
      let asked = 0
      const waiting = await waitingLive(kind, undefined, undefined, (storage) => {
        const events: RuntimeEventStore = Object.assign(Object.create(storage.events), {
          listSettledRequests(...args: Parameters<RuntimeEventStore['listSettledRequests']>) {
            asked++
            return storage.events.listSettledRequests(...args)
          },
        })
        return { ...storage, events }
      })
      const { manager, session, requests, storage, dispose } = waiting
      assert.equal(asked, 0)
      await poll(waiting)
      assert.equal(asked, 1)
      await managerOver(storage).answerRequests(session.id, { answers: [deny(requests[0]!), deny(requests[1]!)] })
      for (let polls = 0; polls < 4; polls++) await poll(waiting)
      assert.equal(asked, 2)
      await manager.close()
      await dispose()
    })

    test('counts what expires as denied, and records that first', async () => {
      const storeClock = fakeClock(1000)
      const waiting = await waitingLive(kind, storeClock, 50)
      const { manager, session, requests, storage, answers, dispose } = waiting
      storeClock.advance(50)
      for (let polls = 0; polls < 3; polls++) await poll(waiting)
      const { requestId } = requests[0]!
      assert.deepEqual(answers, [{ requestId, decision: 'denied', reason: 'Nobody answered in time.' }])
      assert.equal((await manager.readRequest(session.id, requestId))?.state, 'expired')
      await manager.stopSession(session.id)
      assert.equal((await manager.readRequest(session.id, requests[1]!.requestId))?.state, 'unanswered')
      await assertWhole(storage)
      await dispose()
    })

    test('gives nothing to a backend whose run another process took over, and closes what it asked', async () => {
      const storeClock = fakeClock(1000)
      const waiting = await waitingLive(kind, storeClock, 50)
      const { session, requests, storage, answers, finished, dispose } = waiting
      const other = await openManager(
        storage,
        scriptedBackend(async function* () {}),
        { processTable: world('2') },
      )
      const input = { answers: [approve(requests[0]!)] }
      await assert.rejects(other.manager.answerRequests(session.id, input), {
        code: 'REQUEST_CLOSED',
        state: 'unanswered',
      })
      storeClock.advance(50)
      for (let polls = 0; polls < 3; polls++) await poll(waiting)
      assert.deepEqual(answers, [])
      await assert.rejects(waiting.manager.stopSession(session.id), { code: 'STALE_OWNER' })
      assert.equal((await finished).state, 'running')
      await assertWhole(storage)
      await dispose()
    })

    test('is told of an answer that its owner got while the store could not be read', async () => {
      let isDown = true
      const waiting = await waitingLive(kind, undefined, undefined, (storage) => {
        const events: RuntimeEventStore = Object.assign(Object.create(storage.events), {
          listSettledRequests: (...args: Parameters<RuntimeEventStore['listSettledRequests']>) =>
            isDown ? Promise.reject(new Error('down')) : storage.events.listSettledRequests(...args),
        })
        return { ...storage, events }
      })
      const { manager, session, requests, storage, answers, warnings, dispose } = waiting
      await managerOver(storage).answerRequests(session.id, { answers: [approve(requests[0]!)] })
      for (let polls = 0; polls < 3; polls++) await poll(waiting)
      assert.deepEqual([answers, warnings.length], [[], 1])
      isDown = false
      await poll(waiting)
      await until(() => answers.length === 1)
      await manager.close()
      await dispose()
    })
  })
}
