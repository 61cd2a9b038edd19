import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BackendRegistry, type CreateSessionInput, SessionManager } from '@daybook/runtime/session-manager'
import { assertWhole } from '../../test/ledger-facts.ts'
import { openManager } from '../../test/open-manager.ts'
import { aborted, eventsOf, type Script } from '../../test/scripted-backend.ts'
import { storageKinds } from '../../test/storages.ts'
import { takeAll } from '../../test/take.ts'

const answer: Script = async function* ({ turnId }) {
  const say = eventsOf(turnId)
  yield say.text('hello')
  yield say.complete()
}
const wait: Script = async function* ({ turnId, abortSignal }) {
  await aborted(abortSignal)
  yield eventsOf(turnId).abort()
}

for (const { name, open } of storageKinds) {
  describe(`SessionManager on ${name}`, () => {
    test('creates a session with the defaults', async () => {
      const { storage, dispose } = open()
      const { manager, clock } = await openManager(storage, answer)
      const createdAt = clock.now
      const session = await manager.createSession({})
      assert.deepEqual(await manager.readSession(session.id), session)
      assert.deepEqual(session, {
        id: session.id,
        tenant: null,
        subject: null,
        externalId: null,
        title: null,
        cwd: null,
        backendKind: 'ai-sdk',
        llmConnectionSlug: null,
        model: null,
        permissionMode: 'ask',
        permissionRules: [],
        settings: {},
        revision: 1,
        labels: [],
        parentSessionId: null,
        parentSessionSeq: null,
        createdAt,
        archivedAt: null,
      })
      await dispose()
    })

    test('refuses a session that it cannot keep or answer, and names the field', async () => {
      const { storage, dispose } = open()
      const { manager } = await openManager(storage, answer)
      const refused: readonly [CreateSessionInput, Record<string, unknown>][] = [
        [{ backend: 'pi' }, { code: 'UNKNOWN_BACKEND', kind: 'pi', known: ['ai-sdk'] }],
        [{ permissionMode: 'yolo' as 'ask' }, { code: 'INVALID_INPUT', field: 'permissionMode' }],
        [{ title: '\ud800' }, { code: 'INVALID_INPUT', field: 'title' }],
        [{ cwd: 7 as unknown as string }, { code: 'INVALID_INPUT', field: 'cwd' }],
        [{ labels: ['fine', 7 as unknown as string] }, { code: 'INVALID_INPUT', field: 'labels[1]' }],
        [{ labels: 'fine' as unknown as string[] }, { code: 'INVALID_INPUT', field: 'labels' }],
        [{ tenant: '' }, { code: 'INVALID_ID', field: 'tenant' }],
        [{ settings: { at: new Date() as unknown as string } }, { code: 'NOT_CANONICAL' }],
      ]
      for (const [input, error] of refused) await assert.rejects(manager.createSession(input), error)
      assert.equal((await manager.listSessions()).items.length, 1)
      await dispose()
    })

    test('shows each tenant its own sessions alone, in every call', async () => {
      const { storage, dispose } = open()
      const { manager } = await openManager(storage, answer)
      const { id } = await manager.createSession({ tenant: 'acme' })
      const [acme, other] = [{ tenant: 'acme' }, { tenant: 'other' }]
      const missing = { code: 'SESSION_NOT_FOUND', sessionId: id }
      for (const scope of [undefined, other]) {
        assert.equal(await manager.readSession(id, scope), undefined)
        assert.equal(await manager.removeSession(id, {}, scope), false)
        await assert.rejects(takeAll(manager.sendMessage(id, { text: 'hi' }, scope)), missing)
        await assert.rejects(manager.startTurn(id, { text: 'hi' }, scope), missing)
        await assert.rejects(manager.transcript(id, scope), missing)
        await assert.rejects(manager.listInvocations(id, scope), missing)
      }
      await takeAll(manager.sendMessage(id, { text: 'hi' }, acme))
      assert.equal((await manager.transcript(id, acme)).length, 1)
      assert.deepEqual(
        (await manager.listSessions({}, acme)).items.map((session) => session.id),
        [id],
      )
      assert.equal(await manager.removeSession(id, {}, acme), true)
      await dispose()
    })

    test('lists newest first, in pages', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, answer)
      const second = await manager.createSession({ title: 'second' })
      const page = await manager.listSessions({ limit: 1 })
      assert.deepEqual([page.items[0]?.id, page.next !== null], [second.id, true])
      assert.deepEqual(
        (await manager.listSessions({ after: page.next! })).items.map(({ id }) => id),
        [session.id],
      )
      await dispose()
    })

    test('lists invocations and reads the transcript', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, answer)
      await takeAll(manager.sendMessage(session.id, { turnId: 'turn-1', text: 'hi' }))
      const [invocation] = await manager.listInvocations(session.id)
      assert.deepEqual([invocation?.turnId, invocation?.terminalEvent?.status], ['turn-1', 'completed'])
      assert.deepEqual(invocation?.opening.configuration, { cwd: '/somewhere', permissionMode: 'bypass', revision: 1 })
      const [turn] = await manager.transcript(session.id)
      assert.deepEqual(
        [turn?.userText, turn?.state, turn?.items],
        ['hi', 'completed', [{ type: 'text', text: 'hello' }]],
      )
      await dispose()
    })

    test('removes a session and disposes of its backend, but not while a turn is answered', async () => {
      const { storage, dispose } = open()
      const { manager, session, backend } = await openManager(storage, wait)
      const { finished } = await manager.startTurn(session.id, { text: 'hi' })
      await assert.rejects(manager.removeSession(session.id), { code: 'SESSION_BUSY' })
      await manager.stopSession(session.id)
      await finished
      assert.equal(await manager.removeSession(session.id), true)
      assert.equal(backend.calls.at(-1), 'dispose')
      await assert.rejects(manager.startTurn(session.id, { text: 'hi' }), { code: 'SESSION_NOT_FOUND' })
      assert.equal(await manager.removeSession(session.id), false)
      await dispose()
    })

    test('answers one message at a time, and tells a repeated one its run, state and whether the text was the same', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, wait)
      const message = { turnId: 'turn-1', text: 'hi' }
      const { runId } = await manager.startTurn(session.id, message)
      await assert.rejects(manager.startTurn(session.id, { turnId: 'turn-2', text: 'hi' }), {
        code: 'SESSION_BUSY',
        runId,
      })
      const repeated = { code: 'TURN_EXISTS', runId, state: 'running' }
      await assert.rejects(manager.startTurn(session.id, message), { ...repeated, sameInput: true })
      await assert.rejects(manager.startTurn(session.id, { ...message, text: 'ho' }), { ...repeated, sameInput: false })
      const elsewhere = await openManager(storage, wait)
      await assert.rejects(elsewhere.manager.startTurn(session.id, { text: 'hi' }), { code: 'SESSION_BUSY', runId })
      await manager.stopSession(session.id)
      await assert.rejects(manager.startTurn(session.id, message), { ...repeated, state: 'aborted', sameInput: true })
      await assertWhole(storage)
      await dispose()
    })

    test('opens one of many messages that are sent at once', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, wait)
      const sent = await Promise.allSettled(
        Array.from({ length: 10 }, () => manager.startTurn(session.id, { text: 'hi' })),
      )
      assert.equal(sent.filter(({ status }) => status === 'fulfilled').length, 1)
      for (const one of sent) if (one.status === 'rejected') assert.equal(one.reason.code, 'SESSION_BUSY')
      await manager.close()
      await assertWhole(storage)
      await dispose()
    })

    test('refuses a message whose backend this process does not have, and writes nothing', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, answer)
      await storage.sessions.create({ ...session, id: 'foreign', backendKind: 'pi' })
      await assert.rejects(manager.startTurn('foreign', { text: 'hi' }), { code: 'UNKNOWN_BACKEND', known: ['ai-sdk'] })
      assert.deepEqual(await manager.listInvocations('foreign'), [])
      await dispose()
    })

    test('refuses an option that cannot be', async () => {
      const { storage, dispose } = open()
      for (const field of ['graceMs', 'maxIdleBackends']) {
        for (const value of [-1, 0.5, Number.NaN, Infinity, '7' as unknown as number]) {
          await assert.rejects(openManager(storage, answer, { [field]: value }), { code: 'INVALID_INPUT', field })
        }
      }
      for (const everyMs of [0, 2 ** 31]) {
        for (const [field, options] of [
          ['recovery.everyMs', { recovery: { everyMs } }],
          ['agentEventLog.sweepEveryMs', { agentEventLog: { sweepEveryMs: everyMs } }],
        ] as const)
          await assert.rejects(openManager(storage, answer, options), { code: 'INVALID_INPUT', field })
      }
      const { manager, session } = await openManager(storage, answer)
      await assert.rejects(takeAll(manager.sendMessage(session.id, undefined as never)), {
        code: 'INVALID_INPUT',
        field: 'message',
      })
      const mistyped = { text: 'hi', onLeave: 'detatch' as 'detach' }
      await assert.rejects(takeAll(manager.sendMessage(session.id, mistyped)), {
        code: 'INVALID_INPUT',
        field: 'onLeave',
      })
      await dispose()
    })

    test('names the store, or the registry, that was not given', async () => {
      const { storage, dispose } = open()
      const { sessions: store, runs: runStore, events: runtimeEventStore } = storage
      const options = { store, runStore, runtimeEventStore, backends: new BackendRegistry() }
      for (const field of ['store', 'runStore', 'runtimeEventStore', 'backends'] as const)
        assert.throws(() => new SessionManager({ ...options, [field]: undefined }), { code: 'INVALID_INPUT', field })
      await dispose()
    })

    test('refuses stores that do not come from one storage', async () => {
      const [one, another] = [open(), open()]
      const { events, agentEvents } = another.storage
      for (const mixed of [{ events }, { agentEvents }])
        await assert.rejects(openManager({ ...one.storage, ...mixed }, answer), { code: 'MIXED_STORAGES' })
      await one.dispose()
      await another.dispose()
    })
  })
}
