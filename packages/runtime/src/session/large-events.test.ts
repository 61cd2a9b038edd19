import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { approve, openRequests } from '../../test/asking-backend.ts'
import { closing, endedRun } from '../../test/ended-run.ts'
import { openManager } from '../../test/open-manager.ts'
import { eventsOf, type Script } from '../../test/scripted-backend.ts'
import { storageKinds } from '../../test/storages.ts'
import { closeLog } from '../recovery/close-log.ts'

const large = 'x'.repeat(5_000_000)

/** Asks for more than a row of a log holds, in requests that the ledger takes. */
const asksMuch: Script = async function* ({ turnId, continuation }) {
  const say = eventsOf(turnId)
  if (continuation !== undefined) return yield say.complete()
  for (let index = 0; index < 5; index++) {
    const request = { text: large.slice(0, 900_000), index }
    yield { ...say.boundary(String(index), 'c'), toolCallId: undefined, request }
  }
  yield say.complete('waiting')
}

for (const { name, open } of storageKinds) {
  describe(`on ${name} what is too large for a row of a log`, () => {
    test('costs that row what is too much of it, and the turn nothing', async () => {
      const { storage, dispose } = open()
      const { manager, session, warnings } = await openManager(storage, async function* ({ turnId }) {
        const say = eventsOf(turnId)
        const { id, ts } = say.delta('')
        yield say.call('c')
        yield { type: 'tool_result_preview', id, turnId, ts, toolCallId: 'c', result: large }
        yield { type: 'provider_retry', id, turnId, ts, message: large }
        yield say.delta(large)
        yield say.text('hello', 'another')
        yield say.complete()
      })
      const { runId, finished } = await manager.startTurn(session.id, { text: 'hi' })
      assert.equal((await finished).state, 'completed')
      const { rows } = (await storage.agentEvents.read(runId))!
      const shown = rows.filter(({ event }) => event.type === 'CUSTOM').map(({ event }) => [event.name, event.metadata])
      assert.deepEqual(
        shown.map(([name]) => name),
        ['daybook.tool_result_preview', 'daybook.provider_retry'],
      )
      for (const [, metadata] of shown) assert.ok(metadata !== undefined)
      const text = rows.filter(({ event: { messageId } }) => messageId === `${runId}:text:m`)
      const said = text.map(({ event: { delta } }) => (typeof delta === 'string' ? delta : ''))
      assert.equal(said.join(''), large)
      assert.deepEqual(warnings, [])
      await manager.close()
      await dispose()
    })

    test('keeps no turn from waiting, nor from going on', async () => {
      const { storage, dispose } = open()
      const { manager, session } = await openManager(storage, asksMuch)
      const { runId, finished } = await manager.startTurn(session.id, { text: 'hi' })
      assert.equal((await finished).state, 'waiting')
      const follow = await manager.follow(runId)
      for await (const { event } of follow) void event
      assert.equal((await follow.ended).end, 'waiting')
      const answers = (await openRequests(manager, session.id)).map((one) => approve(one))
      const { turn } = await manager.answerRequests(session.id, { answers })
      assert.equal((await turn!.finished).state, 'completed')
      await manager.close()
      await dispose()
    })

    test('keeps no log from being ended', async () => {
      const { storage, dispose } = open()
      const run = await endedRun(storage, asksMuch)
      await closeLog(run, closing(storage))
      assert.equal((await storage.agentEvents.readHeader(run.runId))?.finishedAt, 9000)
      await dispose()
    })
  })
}
