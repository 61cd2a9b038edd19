import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { describe, test } from 'node:test'
import {
  type AgentEvent,
  AGENT_EVENTS_GAP,
  type AgentEventStore,
  type OpenedStorage,
  StorageIoError,
} from '@daybook/core'
import type { SessionEvent } from '@daybook/core/events'
import fc from 'fast-check'
import { asksFor } from '../../test/asking-backend.ts'
import { assertWhole } from '../../test/ledger-facts.ts'
import { openManager, type TestManager } from '../../test/open-manager.ts'
import { eventsOf } from '../../test/scripted-backend.ts'
import { storageKinds } from '../../test/storages.ts'

/** A storage whose logs take rows alone only while they are well; with facts they always do. */
function ailing(storage: OpenedStorage, isWell = () => true) {
  const health = { isWell }
  const append: OpenedStorage['agentEvents']['append'] = async (...row) => {
    if (!health.isWell()) throw new Error('the disk is full')
    return storage.agentEvents.append(...row)
  }
  const ill: OpenedStorage = { ...storage, agentEvents: { ...storage.agentEvents, append } }
  return { ill, health }
}

/** Text, thinking and a call, each in pieces that are shown alone and completed by a fact. */
const streams: Readonly<Record<string, (turnId: string) => { pieces: SessionEvent[]; whole: SessionEvent }>> = {
  text(turnId) {
    const say = eventsOf(`${turnId} text`)
    const [pieces, whole] = [['one ', 'two ', 'three'].map((text) => say.delta(text)), say.text('one two three')]
    return { pieces: pieces.map((one) => ({ ...one, turnId })), whole: { ...whole, turnId } }
  },
  reasoning(turnId) {
    const base = { turnId, ts: 1, messageId: 't' }
    const piece = (id: string, text: string): SessionEvent => ({ type: 'thinking_delta', id, ...base, text })
    return {
      pieces: [piece('t1', 'one '), piece('t2', 'two '), piece('t3', 'three')],
      whole: { type: 'thinking_complete', id: 't4', ...base, text: 'one two three' },
    }
  },
  'a call': (turnId) => {
    const base = { turnId, ts: 1, toolCallId: 'c', toolName: 'tool' }
    const piece = (id: string, text: string): SessionEvent => ({ type: 'tool_input_delta', id, ...base, text })
    return {
      pieces: [piece('c1', '{"a":'), piece('c2', '"one '), piece('c3', 'two"}')],
      whole: { type: 'tool_start', id: 'c4', ...base, args: { a: 'one two' } },
    }
  },
}

/** What a client makes of a log: the text of each stream, where something of it can be shown. */
function shownOf(events: readonly AgentEvent[]): Map<unknown, unknown> {
  const shown = new Map<unknown, unknown>()
  for (const { type, messageId, toolCallId, delta, name, value } of events) {
    const id = messageId ?? toolCallId
    if (/^(TEXT_MESSAGE|REASONING_MESSAGE|TOOL_CALL)_START$/.test(type)) shown.set(id, '')
    if (typeof delta === 'string') shown.set(id, `${String(shown.get(id))}${delta}`)
    const said = value as Record<string, unknown> | undefined
    if (name === 'daybook.text_replaced' && shown.has(said?.messageId)) shown.set(said?.messageId, said?.text)
    if (name === 'daybook.tool_args_replaced' && shown.has(said?.toolCallId))
      shown.set(said?.toolCallId, JSON.stringify(said?.args))
  }
  return shown
}

/** Has what is joined stored, or lost, as time does. */
async function flushByTimer({ timers }: TestManager): Promise<void> {
  timers.advance(100)
  for (let turns = 0; turns < 20; turns++) await setImmediate()
}

for (const { name, open } of storageKinds) {
  for (const error of [new Error('the reply is lost'), new StorageIoError('the disk does not answer')]) {
    test(`a log on ${name} that cannot be read keeps no fact from the ledger: ${error.message}`, async () => {
      const { storage, dispose } = open()
      let isReadable = false
      const readState: AgentEventStore['readState'] = async (runId) => {
        if (!isReadable) throw error
        return storage.agentEvents.readState(runId)
      }
      const ill = { ...storage, agentEvents: { ...storage.agentEvents, readState } }
      const { manager, session } = await openManager(ill, async function* ({ turnId }) {
        const say = eventsOf(turnId)
        yield say.text('hello')
        isReadable = true
        yield say.text('again', 'n')
        yield say.complete()
      })
      const turn = await manager.startTurn(session.id, { text: 'hi' })
      assert.equal((await turn.finished).state, 'completed')
      const types = (await storage.agentEvents.read(turn.runId))!.rows.map(({ event }) => event.name ?? event.type)
      assert.deepEqual([types.slice(0, 2), types.at(-1)], [['RUN_STARTED', AGENT_EVENTS_GAP], 'RUN_FINISHED'])
      await manager.close()
      await assertWhole(storage, ['log_incomplete'])
      await dispose()
    })
  }

  test(`a log on ${name} that cannot say until when something can be answered keeps no turn from waiting for it`, async () => {
    const { storage, dispose } = open()
    const listTurnRequests = async () => {
      throw new StorageIoError('the disk does not answer')
    }
    const events = Object.assign(Object.create(storage.events) as typeof storage.events, { listTurnRequests })
    const { manager, session, warnings } = await openManager({ ...storage, events }, asksFor(['a'], 500))
    const turn = await manager.startTurn(session.id, { text: 'hi' })
    assert.equal((await turn.finished).state, 'waiting')
    assert.deepEqual(warnings, [`who follows run "${turn.runId}" is not told until when it waits for answers`])
    const last = (await storage.agentEvents.read(turn.runId))!.rows.at(-1)!.event
    const [interrupt] = (last.outcome as { interrupts: object[] }).interrupts
    assert.equal('expiresAt' in interrupt!, false)
    await manager.close()
    await assertWhole(storage)
    await dispose()
  })

  describe(`a log on ${name} that is ill while deltas are stored by the timer`, () => {
    for (const [stream, made] of Object.entries(streams)) {
      for (const [when, illAt] of [
        ['at the beginning', [0]],
        ['in the middle', [1]],
        ['before the end', [2]],
        ['twice', [0, 2]],
        ['throughout', [0, 1, 2]],
      ] as const) {
        test(`shows ${stream} whole, or leaves it out, where it was so ${when}`, async () => {
          const { storage, dispose } = open()
          const { ill, health } = ailing(storage)
          const subject: TestManager = await openManager(ill, async function* ({ turnId }) {
            const { pieces, whole } = made(turnId)
            for (const [index, piece] of pieces.entries()) {
              health.isWell = () => !illAt.some((at) => at === index)
              yield piece
              await flushByTimer(subject)
            }
            health.isWell = () => true
            yield whole
            yield { ...eventsOf(turnId).complete(), turnId }
          })
          const { session, manager } = subject
          const { runId, finished } = await manager.startTurn(session.id, { text: 'hi', protocolVersion: '1.0' })
          assert.equal((await finished).state, 'completed')
          const events = (await storage.agentEvents.read(runId))!.rows.map(({ event }) => event)
          assert.ok(events.some((event) => event.name === AGENT_EVENTS_GAP))
          const shown = [...shownOf(events).values()]
          // Where its beginning was lost nothing of it makes sense.
          const isBegun = !illAt.some((at) => at === 0)
          assert.deepEqual(shown, isBegun ? [stream === 'a call' ? '{"a":"one two"}' : 'one two three'] : [])
          await manager.close()
          await assertWhole(storage, ['log_incomplete'])
          await dispose()
        })
      }
    }

    test('is what clients take, whichever rows are lost', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.infiniteStream(fc.boolean()),
          fc.array(fc.tuple(fc.constantFrom(...Object.keys(streams)), fc.boolean()), { maxLength: 16 }),
          async (isWell, order) => {
            const { storage, dispose } = open()
            const { ill, health } = ailing(storage, () => isWell.next().value)
            const subject: TestManager = await openManager(ill, async function* ({ turnId }) {
              const parts = new Map(Object.entries(streams).map(([name, made]) => [name, made(turnId)]))
              for (const [name, waits] of order) {
                const { pieces, whole } = parts.get(name)!
                const next = pieces.shift() ?? whole
                yield next
                if (waits) await flushByTimer(subject)
              }
              yield { ...eventsOf(turnId).complete(), turnId }
            })
            const { session, manager } = subject
            await (
              await manager.startTurn(session.id, { text: 'hi', protocolVersion: '1.0' })
            ).finished
            health.isWell = () => true
            await manager.close()
            await assertWhole(storage, ['log_incomplete'])
            await dispose()
          },
        ),
        { numRuns: 40 },
      )
    })
  })
}
