import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LedgerDamagedError, type OpenedStorage } from '@daybook/core'
import type { SessionEvent } from '@daybook/core/events'
import { withFaultyAppends, withFaultyRows } from '../../test/faulty-events.ts'
import { assertWhole, endingOf, factsOf } from '../../test/ledger-facts.ts'
import { openManager } from '../../test/open-manager.ts'
import { aborted, eventsOf, type Script } from '../../test/scripted-backend.ts'
import { storageKinds } from '../../test/storages.ts'
import { quiet, until } from '../../test/until.ts'
import { world } from '../../test/world.ts'
import { AgentEventLog } from '../agent-event-log.ts'

/**
 * A turn that another process recovers. Once `failLogs` was called its log takes no row any more: facts alone are written.
 * `close` is of the manager that recovered it.
 */
async function recoveredTurn(
  storage: OpenedStorage,
  script: (input: Parameters<Script>[0], failLogs: () => void) => ReturnType<Script>,
) {
  const error = new LedgerDamagedError(null, 'a log', 'cannot be written')
  let areIll = false
  const withoutFacts = withFaultyRows(storage, () => (areIll ? { error } : undefined))
  const ill = withFaultyAppends(withoutFacts, () => (areIll ? { error, ofRows: true } : undefined))
  const { manager, session, backend } = await openManager(ill, (input) => script(input, () => void (areIll = true)), {
    processTable: world('1'),
  })
  const { runId } = await manager.startTurn(session.id, { text: 'hi' })
  await until(() => backend.calls.length === 1)
  await quiet()
  const later = await openManager(storage, async function* () {}, { processTable: world('2') })
  assert.equal((await later.manager.recover()).closed, 1)
  return { session, runId, close: () => later.manager.close() }
}

for (const { name, open } of storageKinds) {
  test(`on ${name} the end of a run says that its log misses what its owner wrote to the ledger alone`, async () => {
    const { storage, dispose } = open()
    const { session, runId, close } = await recoveredTurn(storage, async function* ({ turnId, abortSignal }, failLogs) {
      const say = eventsOf(turnId)
      yield say.text('told', 'm')
      failLogs()
      yield say.text('not told', 'n')
      yield say.call('c')
      await aborted(abortSignal)
    })
    const closed = ['error:app_restarted', 'function_response:unknown', 'failed']
    const said = ['invocation_opened', 'user:hi', 'text:told', 'text:not told', 'function_call:c']
    assert.deepEqual(await factsOf(storage, session.id), [...said, ...closed])
    assert.equal((await endingOf(storage, session.id))?.partialText, 'not_recorded')
    const { rows } = (await storage.agentEvents.read(runId))!
    assert.deepEqual(
      rows.slice(4).map(({ event }) => event.name ?? event.type),
      ['oke.events.gap', 'daybook.error', 'TOOL_CALL_RESULT', 'RUN_ERROR'],
    )
    await assertWhole(storage, ['log_incomplete'])
    await close()
    await dispose()
  })

  test(`on ${name} the end of a run says that its log misses anything else that its owner wrote to the ledger alone`, async () => {
    for (const event of [
      { type: 'source', sourceId: 's', url: 'u' },
      { type: 'token_usage', usage: { inputTokens: 1 } },
      { type: 'custom', name: 'mood', value: 'good' },
      { type: 'newer', value: 1 },
    ]) {
      const { storage, dispose } = open()
      const { runId, close } = await recoveredTurn(storage, async function* ({ turnId, abortSignal }, failLogs) {
        failLogs()
        yield { id: turnId, turnId, ts: 1, ...event } as SessionEvent
        await aborted(abortSignal)
      })
      const { rows } = (await storage.agentEvents.read(runId))!
      assert.equal(rows[1]?.event.name, 'oke.events.gap', event.type)
      await assertWhole(storage, ['log_incomplete'])
      await close()
      await dispose()
    }
  })

  test(`on ${name} the end of a run adds nothing to a log that has ended before it`, async () => {
    const { storage, dispose } = open()
    const { manager, session, backend, clock } = await openManager(
      storage,
      async function* ({ turnId, abortSignal }) {
        const say = eventsOf(turnId)
        yield say.text('told')
        await until(() => isSwept)
        yield say.text('not told', 'n')
        await aborted(abortSignal)
      },
      { processTable: world('1') },
    )
    let isSwept = false
    const { runId } = await manager.startTurn(session.id, { text: 'hi' })
    await until(() => backend.calls.length === 1)
    await quiet()
    const sweeper = new AgentEventLog({ ...storage.agentEvents, remove: async () => false }, { maxAgeMs: 0 })
    await sweeper.sweep(clock.now)
    isSwept = true
    await quiet()
    const words = (await storage.agentEvents.read(runId))!.rows.map(({ event }) => event.type)
    assert.equal(words.at(-1), 'RUN_ERROR')

    const later = await openManager(storage, async function* () {}, { processTable: world('2') })
    assert.equal((await later.manager.recover()).closed, 1)
    assert.equal((await endingOf(storage, session.id))?.failureCode, 'app_restarted')
    const { rows } = (await storage.agentEvents.read(runId))!
    assert.deepEqual(
      rows.map(({ event }) => event.type),
      words,
    )
    await assertWhole(storage, ['log_incomplete'])
    await later.manager.close()
    await dispose()
  })
}
