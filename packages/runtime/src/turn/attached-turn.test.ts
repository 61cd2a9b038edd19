import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { SessionEvent } from '@daybook/core/events'
import { assertWhole, endingOf, factsOf } from '../../test/ledger-facts.ts'
import { openManager } from '../../test/open-manager.ts'
import { aborted, eventsOf, type Script } from '../../test/scripted-backend.ts'
import { storageKinds } from '../../test/storages.ts'
import { takeAll, typesOf } from '../../test/take.ts'
import { quiet, until } from '../../test/until.ts'

const threeTexts: Script = async function* ({ turnId }) {
  const say = eventsOf(turnId)
  for (const text of ['one', 'two', 'three']) yield say.text(text)
  yield say.complete()
}
const message = { turnId: 'turn-1', text: 'hi' }
const opened = ['invocation_opened', 'user:hi']

for (const { name, open } of storageKinds) {
  describe(`sendMessage on ${name}`, () => {
    test('does nothing before iteration starts', async () => {
      const { storage, dispose } = open()
      const { manager, session, backend } = await openManager(storage, threeTexts)
      const never = manager.sendMessage(session.id, message)
      const bad = manager.sendMessage('nowhere', { text: '' })
      assert.deepEqual(await never.return?.(), { done: true, value: undefined })
      assert.deepEqual(await never.next(), { done: true, value: undefined })
      await assert.rejects(bad.next(), { code: 'INVALID_INPUT', field: 'text' })
      assert.deepEqual(await bad.next(), { done: true, value: undefined })
      assert.deepEqual([await factsOf(storage, session.id), backend.calls], [[], []])
      await dispose()
    })

    test('throws input errors and conflicts where it is iterated', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, threeTexts)
      await takeAll(manager.sendMessage(session.id, message))
      await assert.rejects(
        async () => {
          for await (const event of manager.sendMessage(session.id, message)) assert.fail(event.type)
        },
        { code: 'TURN_EXISTS', state: 'completed', sameInput: true },
      )
      await dispose()
    })

    test('keeps the backend at most one event ahead of a consumer that stops reading', async () => {
      const { storage, dispose } = open()
      let yielded = 0
      const { manager, session } = await openManager(storage, async function* (input) {
        for await (const event of threeTexts(input)) {
          yielded++
          yield event
        }
      })
      const iterator = manager.sendMessage(session.id, message)
      for (let read = 1; read <= 3; read++) {
        await iterator.next()
        await until(() => yielded === read + 1)
        await quiet()
        assert.equal(yielded, read + 1)
      }
      assert.deepEqual(
        (await takeAll(iterator)).map((event) => event.type),
        ['complete'],
      )
      await dispose()
    })

    test('stops the turn of a consumer that leaves, and waits for its terminal', async () => {
      const { storage, dispose } = open()
      const { manager, session, backend } = await openManager(storage, threeTexts)
      for await (const event of manager.sendMessage(session.id, message)) {
        assert.equal(event.type, 'text_complete')
        break
      }
      const facts = await factsOf(storage, session.id)
      assert.deepEqual(
        [facts.at(-1), await endingOf(storage, session.id)],
        ['aborted', { stopReason: 'user_stop', abortSource: 'consumer_left' }],
      )
      assert.deepEqual(backend.calls, ['send turn-1', 'stop consumer_left'])
      assert.equal(backend.inputs[0]?.abortSignal.aborted, true)
      await assertWhole(storage)
      await dispose()
    })

    test('stops the turn of a consumer that throws, and lets its error through', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, threeTexts)
      await assert.rejects(async () => {
        for await (const event of manager.sendMessage(session.id, message)) throw new Error(`cannot show ${event.type}`)
      }, /cannot show/)
      assert.equal((await endingOf(storage, session.id))?.abortSource, 'consumer_left')
      await dispose()
    })

    test('lets the turn run on when the consumer detaches', async () => {
      const { storage, dispose } = open()
      const { manager, session, backend } = await openManager(storage, threeTexts)
      for await (const _event of manager.sendMessage(session.id, { ...message, onLeave: 'detach' })) break
      await until(() => backend.calls.length > 0)
      let facts: string[] = []
      while (facts.at(-1) !== 'completed') {
        await setImmediate()
        facts = await factsOf(storage, session.id)
      }
      assert.deepEqual(facts, [...opened, 'text:one', 'text:two', 'text:three', 'completed'])
      assert.deepEqual(backend.calls, ['send turn-1'])
      await manager.close()
      await dispose()
    })

    test('ends a pending next when the consumer leaves meanwhile', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, async function* ({ turnId, abortSignal }) {
        await aborted(abortSignal)
        yield eventsOf(turnId).abort()
      })
      const iterator = manager.sendMessage(session.id, message)
      const pending = iterator.next()
      await iterator.return?.()
      assert.deepEqual(await pending, { done: true, value: undefined })
      assert.deepEqual(await factsOf(storage, session.id), [...opened, 'aborted'])
      await dispose()
    })

    test('has released the session when the consumer is told that the turn is over', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, threeTexts)
      const later: Promise<SessionEvent[]>[] = []
      for await (const event of manager.sendMessage(session.id, message)) {
        if (event.type === 'complete') later.push(takeAll(manager.sendMessage(session.id, { text: 'more' })))
      }
      assert.equal((await Promise.all(later)).flat().length, 4)
      await dispose()
    })
  })

  describe(`startTurn on ${name}`, () => {
    test('runs the turn with nobody reading, and resolves to how it ended', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, threeTexts)
      const { finished, ...ids } = await manager.startTurn(session.id, message)
      assert.equal(ids.turnId, 'turn-1')
      assert.deepEqual(await storage.runs.readRun(ids.runId).then((run) => run?.invocationId), ids.invocationId)
      assert.deepEqual(await finished, { ...ids, state: 'completed', ending: { stopReason: 'end_turn' } })
      assert.deepEqual(await factsOf(storage, session.id), [
        ...opened,
        'text:one',
        'text:two',
        'text:three',
        'completed',
      ])
      await dispose()
    })

    test('names each turn anew unless told', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, threeTexts)
      const first = await manager.startTurn(session.id, { text: 'hi' })
      await first.finished
      const second = await manager.startTurn(session.id, { text: 'hi' })
      assert.notEqual(first.turnId, second.turnId)
      await second.finished
      await dispose()
    })

    test('gives the history that the ledger holds, also to a manager that never saw it', async () => {
      const { storage, dispose } = open()
      const first = await openManager(storage, threeTexts)
      await typesOf(first.manager.sendMessage(first.session.id, message))
      const second = await openManager(storage, threeTexts)
      await typesOf(second.manager.sendMessage(first.session.id, { text: 'more' }))
      assert.deepEqual(second.backend.inputs[0]?.history, [
        { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
        { role: 'assistant', parts: ['one', 'two', 'three'].map((text) => ({ type: 'text', text })) },
      ])
      assert.equal(second.backend.inputs[0]?.text, 'more')
      await dispose()
    })

    test('tells the next call of a call that a waiting turn left open that it was not answered', async () => {
      const { storage, dispose } = open()
      const { manager, session, backend } = await openManager(storage, async function* ({ turnId }) {
        const say = eventsOf(turnId)
        yield say.call('c1')
        yield say.question('q1', 'c1')
        yield say.complete('waiting')
      })
      await (
        await manager.startTurn(session.id, message)
      ).finished
      assert.equal((await manager.transcript(session.id)).at(0)?.state, 'waiting')
      await (
        await manager.startTurn(session.id, { text: 'never mind' })
      ).finished
      assert.deepEqual(backend.inputs[1]?.history.at(-1), {
        role: 'tool',
        parts: [{ type: 'tool_result', toolCallId: 'c1', toolName: 'tool', outcome: 'not_answered', result: null }],
      })
      const outcomes = (await manager.transcript(session.id)).map(({ items }) =>
        items.map((item) => 'outcome' in item && item.outcome),
      )
      assert.deepEqual(outcomes, [['not_answered'], ['open']])
      await dispose()
    })
  })
}
