import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { approve, asksFor, openRequests } from '../../test/asking-backend.ts'
import { assertWhole, factsOf } from '../../test/ledger-facts.ts'
import { openManager } from '../../test/open-manager.ts'
import { aborted, eventsOf, type Script } from '../../test/scripted-backend.ts'
import { storageKinds } from '../../test/storages.ts'
import { takeAll } from '../../test/take.ts'
import { world } from '../../test/world.ts'

const message = { turnId: 'turn-1', text: 'hi' }

for (const { name, open } of storageKinds) {
  describe(`retryTurn on ${name}`, () => {
    test('tries the newest turn again with the same text; the transcript and the next history show one attempt', async () => {
      const { storage, dispose } = open()
      let attempt = 0
      const { manager, session, backend } = await openManager(storage, async function* ({ turnId }) {
        const say = eventsOf(turnId)
        yield say.text(`answer ${++attempt}`)
        if (attempt === 2) throw new Error('no')
        yield say.complete()
      })
      await takeAll(manager.sendMessage(session.id, message))
      const told: string[] = []
      const second = await manager.retryTurn(session.id, {
        turnId: 'turn-1',
        watch: ({ type }) => void told.push(type),
      })
      assert.deepEqual([second.turnId, (await second.finished).state], ['turn-1', 'failed'])
      assert.deepEqual(told, ['text_complete', 'error', 'complete'])
      await (
        await manager.retryTurn(session.id)
      ).finished
      assert.deepEqual(
        backend.inputs.map(({ text, history }) => [text, history.length]),
        Array.from({ length: 3 }, () => ['hi', 0]),
      )
      const [first, ...others] = await manager.transcript(session.id)
      assert.deepEqual([first?.userText, first?.items, others], ['hi', [{ type: 'text', text: 'answer 3' }], []])
      await takeAll(manager.sendMessage(session.id, { text: 'more' }))
      assert.deepEqual(backend.inputs[3]?.history, [
        { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
        { role: 'assistant', parts: [{ type: 'text', text: 'answer 3' }] },
      ])
      await assert.rejects(manager.startTurn(session.id, message), { code: 'TURN_EXISTS', sameInput: true })
      await assertWhole(storage)
      await dispose()
    })

    test('supersedes a turn that waits with all that continued it: its requests are closed', async () => {
      const { storage, dispose } = open()
      const { manager, session, backend } = await openManager(storage, asksFor(['a', 'b']))
      await (
        await manager.startTurn(session.id, message)
      ).finished
      const [first, second] = await openRequests(manager, session.id)
      await manager.answerRequests(session.id, { answers: [approve(first!)] })
      const again: Script = async function* ({ turnId }) {
        yield eventsOf(turnId).complete()
      }
      const other = await openManager(storage, again)
      await (
        await other.manager.retryTurn(session.id)
      ).finished
      assert.equal((await manager.readRequest(session.id, second!.requestId))?.state, 'unanswered')
      await assert.rejects(manager.answerRequests(session.id, { answers: [approve(second!)] }), {
        code: 'REQUEST_CLOSED',
      })
      const [turn, ...others] = await manager.transcript(session.id)
      assert.deepEqual([turn?.state, turn?.items, others], ['completed', [], []])
      assert.deepEqual(other.backend.inputs[0]?.history, [])
      assert.equal(backend.inputs.length, 1)
      await assertWhole(storage)
      await dispose()
    })

    test('ends first what a dead process left, and is refused while the turn runs', async () => {
      const { storage, dispose } = open()
      const hang: Script = async function* ({ turnId, abortSignal }) {
        yield eventsOf(turnId).call('c1')
        await aborted(abortSignal)
      }
      const first = await openManager(storage, hang, { processTable: world('1') })
      await first.manager.sendMessage(first.session.id, message).next()
      await assert.rejects(first.manager.retryTurn(first.session.id), { code: 'SESSION_BUSY', turnId: 'turn-1' })
      const { manager } = await openManager(storage, asksFor([]), { processTable: world('2') })
      await (
        await manager.retryTurn(first.session.id)
      ).finished
      assert.deepEqual(await factsOf(storage, first.session.id), [
        'invocation_opened',
        'user:hi',
        'function_call:c1',
        'error:app_restarted',
        'function_response:unknown',
        'failed',
        'invocation_opened',
        'user:hi',
        'waiting',
      ])
      await assertWhole(storage)
      await dispose()
    })

    test('is opened once by two at once', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, async function* ({ turnId, abortSignal }) {
        await aborted(abortSignal)
        yield eventsOf(turnId).complete()
      })
      await manager.startTurn(session.id, message)
      await manager.stopSession(session.id)
      const results = await Promise.allSettled([manager.retryTurn(session.id), manager.retryTurn(session.id)])
      const refused = results.flatMap((result) =>
        result.status === 'rejected' ? [(result.reason as { code: string }).code] : [],
      )
      assert.deepEqual(refused, ['SESSION_BUSY'])
      await manager.close()
      await assertWhole(storage)
      await dispose()
    })

    test('refuses an older turn, one that is not there, and a session without turns', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, asksFor([]))
      await assert.rejects(manager.retryTurn(session.id), { code: 'NOTHING_TO_CONTINUE' })
      await takeAll(manager.sendMessage(session.id, message))
      await takeAll(manager.sendMessage(session.id, { turnId: 'turn-2', text: 'more' }))
      await assert.rejects(manager.retryTurn(session.id, { turnId: 'turn-1' }), {
        code: 'TURN_NOT_NEWEST',
        newestTurnId: 'turn-2',
      })
      await assert.rejects(manager.retryTurn(session.id, { turnId: 'turn-3' }), { code: 'TURN_NOT_FOUND' })
      await assert.rejects(manager.retryTurn(session.id, {}, { tenant: 'other' }), { code: 'SESSION_NOT_FOUND' })
      await assert.rejects(manager.retryTurn(session.id, { watch: 1 as never }), {
        code: 'INVALID_INPUT',
        field: 'watch',
      })
      await dispose()
    })
  })

  describe(`watch on ${name}`, () => {
    test('is told each event once its fact is committed, and the backend waits for it', async () => {
      const { storage, dispose } = open()
      let pulled = 0
      const { manager, session } = await openManager(storage, async function* ({ turnId }) {
        const say = eventsOf(turnId)
        for (pulled = 1; pulled <= 3; pulled++) yield say.text('x', `m${pulled}`)
        yield say.complete()
      })
      const told: string[] = []
      const goesOn = Promise.withResolvers<void>()
      const { finished } = await manager.startTurn(session.id, {
        ...message,
        async watch(event) {
          const facts = await storage.events.readSessionRuntimeEvents(session.id)
          assert.ok(facts.some((fact) => fact.event.id === event.id))
          told.push(event.type)
          if (told.length === 1) await goesOn.promise
        },
      })
      for (let i = 0; i < 50; i++) await new Promise(setImmediate)
      assert.deepEqual([told, pulled], [['text_complete'], 2])
      goesOn.resolve()
      await finished
      assert.deepEqual(told, ['text_complete', 'text_complete', 'text_complete', 'complete'])
      await dispose()
    })

    test('ends with a warning when it throws; the turn goes on', async () => {
      const { storage, dispose } = open()
      const { manager, session, warnings } = await openManager(storage, async function* ({ turnId }) {
        const say = eventsOf(turnId)
        yield say.text('a', 'm1')
        yield say.text('b', 'm2')
        yield say.complete()
      })
      let told = 0
      const { finished } = await manager.startTurn(session.id, {
        ...message,
        watch() {
          told++
          throw new Error('cannot')
        },
      })
      assert.deepEqual([(await finished).state, told, warnings.length], ['completed', 1, 1])
      assert.equal((await factsOf(storage, session.id)).length, 5)
      await dispose()
    })
  })
}
