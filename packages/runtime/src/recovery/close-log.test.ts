import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AgentEventStore, OpenedStorage } from '@daybook/core'
import { asksFor } from '../../test/asking-backend.ts'
import { closing, endedRun } from '../../test/ended-run.ts'
import { assertWhole, factsOf } from '../../test/ledger-facts.ts'
import { eventsOf, type Script } from '../../test/scripted-backend.ts'
import { storageKinds } from '../../test/storages.ts'
import { closeLog } from './close-log.ts'

const speak: Script = async function* ({ turnId }) {
  const say = eventsOf(turnId)
  yield say.text('hello')
  yield say.complete()
}
const abort: Script = async function* ({ turnId }) {
  yield eventsOf(turnId).abort()
}
const fail: Script = async function* ({ turnId }) {
  yield eventsOf(turnId).delta('he')
  throw new Error('no')
}

/** The rows of the log as short words. */
async function wordsOf({ agentEvents }: OpenedStorage, runId: string): Promise<string[]> {
  const { rows } = (await agentEvents.read(runId))!
  return rows.map(({ event }) => (typeof event.name === 'string' ? event.name : event.type))
}

for (const { name, open } of storageKinds) {
  describe(`on ${name} a log whose run has ended`, () => {
    const begun = ['RUN_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'oke.events.gap']
    for (const [how, script, last] of [
      ['completed', speak, 'RUN_FINISHED'],
      ['was aborted', abort, 'RUN_ERROR'],
      ['failed', fail, 'RUN_ERROR'],
    ] as const) {
      test(`ends as the run ${how}, after it says that something is missing`, async () => {
        const { storage, dispose } = open()
        const run = await endedRun(storage, script)
        const facts = await factsOf(storage, run.sessionId)
        await closeLog(run, closing(storage))
        const words = await wordsOf(storage, run.runId)
        assert.deepEqual([words.slice(0, 4), words.at(-1)], [begun, last])
        assert.equal((await storage.agentEvents.readHeader(run.runId))?.finishedAt, 9000)
        assert.deepEqual(await factsOf(storage, run.sessionId), facts)
        await assertWhole(storage, ['log_incomplete'])
        await dispose()
      })
    }

    test('ends with what the run waits for', async () => {
      const { storage, dispose } = open()
      const run = await endedRun(storage, asksFor(['a', 'b'], 500), { protocolVersion: '1.0' })
      await closeLog(run, closing(storage))
      const { outcome } = (await storage.agentEvents.read(run.runId))!.rows.at(-1)!.event as {
        outcome?: { interrupts: readonly { id: string; toolCallId: string; expiresAt: string }[] }
      }
      const requests = await storage.events.listTurnRequests(run.sessionId, run.turnId)
      assert.deepEqual(
        outcome?.interrupts.map(({ id, toolCallId, expiresAt }) => [id, toolCallId, Date.parse(expiresAt)]),
        requests.map(({ requestId, toolCallId, expiresAt }) => [requestId, toolCallId, expiresAt]),
      )
      await assertWhole(storage, ['log_incomplete'])
      await dispose()
    })

    test('does not ask again what its backend has said is answered', async () => {
      const { storage, dispose } = open()
      const run = await endedRun(storage, async function* ({ turnId }) {
        const base = (id: string) => ({ id: `${turnId} ${id}`, turnId, ts: 1 })
        yield { ...base('1'), type: 'user_question_request', requestId: 'one', question: '?' }
        yield { ...base('2'), type: 'user_question_answer_ack', requestId: 'one' }
        yield { ...base('3'), type: 'user_question_request', requestId: 'two', question: '?' }
        yield { ...base('4'), type: 'complete', stopReason: 'waiting' }
      })
      await closeLog(run, closing(storage))
      const { outcome } = (await storage.agentEvents.read(run.runId))!.rows.at(-1)!.event as {
        outcome?: { interrupts: readonly { id: string }[] }
      }
      assert.deepEqual(
        outcome?.interrupts.map(({ id }) => id),
        ['two'],
      )
      await assertWhole(storage, ['log_incomplete'])
      await dispose()
    })

    test('begins and ends where it showed nothing', async () => {
      const { storage, dispose } = open()
      const run = await endedRun(storage, speak, { isStarted: false })
      await closeLog(run, closing(storage))
      assert.deepEqual(await wordsOf(storage, run.runId), ['RUN_STARTED', 'oke.events.gap', 'RUN_FINISHED'])
      await assertWhole(storage, ['log_incomplete'])
      await dispose()
    })

    test('is ended once, however many do it', async () => {
      const { storage, dispose } = open()
      const run = await endedRun(storage, speak)
      await Promise.all([1, 2, 3].map(() => closeLog(run, closing(storage))))
      const words = await wordsOf(storage, run.runId)
      assert.equal(words.filter((word) => word === 'RUN_FINISHED').length, 1)
      await closeLog(run, closing(storage))
      assert.deepEqual(await wordsOf(storage, run.runId), words)
      await assertWhole(storage, ['log_incomplete'])
      await dispose()
    })

    test('gets nothing behind its end where another process ends it while it is read', async () => {
      const { storage, dispose } = open()
      const run = await endedRun(storage, speak)
      const other = closing(storage)
      const agentEvents: AgentEventStore = {
        ...storage.agentEvents,
        async readPage(...query) {
          await closeLog(run, other)
          return storage.agentEvents.readPage(...query)
        },
      }
      await closeLog(run, closing({ ...storage, agentEvents }))
      assert.equal((await wordsOf(storage, run.runId)).at(-1), 'RUN_FINISHED')
      await assertWhole(storage, ['log_incomplete'])
      await dispose()
    })

    test('is not read once it has ended', async () => {
      const { storage, dispose } = open()
      const run = await endedRun(storage, speak)
      await closeLog(run, closing(storage))
      const unread = async () => assert.fail('was read')
      const agentEvents = { ...storage.agentEvents, readPage: unread, read: unread }
      const events = { ...storage.events, listSessionInvocationsPage: unread }
      await closeLog(run, closing({ ...storage, agentEvents, events }))
      await dispose()
    })

    test('is not made again where it is gone', async () => {
      const { storage, dispose } = open()
      const run = await endedRun(storage, speak)
      await storage.agentEvents.remove(run.runId)
      await closeLog(run, closing(storage))
      assert.equal(await storage.agentEvents.readHeader(run.runId), undefined)
      await assertWhole(storage)
      await dispose()
    })
  })
}
