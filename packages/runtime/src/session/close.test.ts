import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { OpenedStorage, RuntimeEventStore } from '@daybook/core'
import type { SessionEvent } from '@daybook/core/events'
import { assertWhole, endingOf, factsOf } from '../../test/ledger-facts.ts'
import { openManager } from '../../test/open-manager.ts'
import { eventsOf, type Script } from '../../test/scripted-backend.ts'
import { openFolder, storageKinds, temporaryFolder } from '../../test/storages.ts'
import { typesOf } from '../../test/take.ts'
import { world } from '../../test/world.ts'

const message = { turnId: 'turn-1', text: 'hi' }
const opened = ['invocation_opened', 'user:hi']
const callATool: Script = async function* ({ turnId }) {
  const say = eventsOf(turnId)
  yield say.call('c1')
  yield say.result('c1')
  yield say.complete()
}

/** The storage with a first append that stands still, before it is written or after, until `goOn` is called. */
function holdFirstAppend(storage: OpenedStorage, when: 'before' | 'after') {
  const [reached, going] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  async function hold(): Promise<void> {
    reached.resolve()
    await going.promise
  }
  const events: RuntimeEventStore = Object.assign(Object.create(storage.events) as RuntimeEventStore, {
    async append(request: Parameters<RuntimeEventStore['append']>[0]) {
      if (when === 'before') await hold()
      const appended = await storage.events.append(request)
      if (when === 'after') await hold()
      return appended
    },
  })
  return { storage: { ...storage, events }, reached: reached.promise, goOn: going.resolve }
}

for (const { name, open } of storageKinds) {
  describe(`closing a session manager on ${name}`, () => {
    for (const when of ['before', 'after'] as const) {
      test(`twice, ${when} what is being committed is written, keeps it and ends the turn once`, async () => {
        const { storage, dispose } = open()
        const held = holdFirstAppend(storage, when)
        const { manager, session, backend, timers } = await openManager(held.storage, callATool)
        const { finished } = await manager.startTurn(session.id, message)
        await held.reached
        const closing = [manager.close(), manager.close()]
        held.goOn()
        await Promise.all([...closing, manager.close()])
        const ending = { stopReason: 'user_stop', abortSource: 'manager_closed' }
        assert.deepEqual((await finished).ending, ending)
        assert.deepEqual(await endingOf(storage, session.id), ending)
        const facts = await factsOf(storage, session.id)
        assert.deepEqual(facts.slice(0, 3), [...opened, 'function_call:c1'])
        assert.deepEqual(backend.calls, ['send turn-1', 'stop manager_closed', 'dispose'])
        assert.deepEqual(timers.waiting, [])
        await assertWhole(storage)
        await dispose()
      })
    }

    test('while the terminal event is being committed leaves that as it is', async () => {
      const { storage, dispose } = open()
      const held = holdFirstAppend(storage, 'before')
      const { manager, session } = await openManager(held.storage, async function* ({ turnId }) {
        yield eventsOf(turnId).complete()
      })
      const { finished } = await manager.startTurn(session.id, message)
      await held.reached
      const closing = manager.close()
      held.goOn()
      await closing
      assert.equal((await finished).state, 'completed')
      assert.deepEqual(await factsOf(storage, session.id), [...opened, 'completed'])
      await assertWhole(storage)
      await dispose()
    })

    test('refuses new sessions from then on, and writes none', async () => {
      const { storage, dispose } = open()
      const { manager } = await openManager(storage, callATool)
      const closing = manager.close()
      await assert.rejects(manager.createSession(), { code: 'MANAGER_CLOSED' })
      await closing
      await assert.rejects(manager.createSession(), { code: 'MANAGER_CLOSED' })
      assert.equal((await manager.listSessions()).items.length, 1)
      await dispose()
    })
  })
}

describe('closing the storage under a turn', () => {
  test('twice, at any moment, keeps what the turn was told to be kept; another process ends it and goes on', async () => {
    const folder = temporaryFolder()
    const ends = new Set<string>()
    for (let moment = 0; moment < 100 && !ends.has('completed'); moment++) {
      const { storage } = openFolder(folder.path, { durability: 'normal' })
      const { manager, session, timers } = await openManager(storage, callATool, { processTable: world('1') })
      const told: string[] = []
      const telling = takeTypes(manager.sendMessage(session.id, message), told)
      for (let turn = 0; turn < moment; turn++) await setImmediate()
      storage.close()
      storage.close()
      await telling
      await manager.close()
      assert.deepEqual(timers.waiting, [])

      const { storage: again, dispose } = openFolder(folder.path, { durability: 'normal' })
      const next = await openManager(again, callATool, { processTable: world('2') })
      const whole = [...opened, 'function_call:c1', 'function_response:ok', 'completed']
      const before = await factsOf(again, session.id)
      assert.deepEqual(before, whole.slice(0, before.length))
      assert.ok(told.length <= Math.max(0, before.length - opened.length))
      const isCut = before.length > 0 && before.length < whole.length
      assert.equal((await next.manager.recover()).closed, isCut ? 1 : 0)
      ends.add(isCut ? 'cut' : (before.at(-1) ?? 'nothing'))
      assert.equal((await typesOf(next.manager.sendMessage(session.id, { text: 'again' }))).at(-1), 'complete')
      await assertWhole(again)
      await next.manager.close()
      await dispose()
    }
    folder.remove()
    assert.deepEqual([...ends].sort(), ['completed', 'cut', 'nothing'])
  })
})

/** Takes all that is told into `types`, until the storage is closed. */
async function takeTypes(events: AsyncIterable<SessionEvent>, types: string[]): Promise<void> {
  try {
    for await (const { type } of events) types.push(type)
  } catch (error) {
    assert.equal((error as { code?: unknown }).code, 'STORAGE_CLOSED')
  }
}
