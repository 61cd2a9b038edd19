import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { AgentRunStore, OpenedStorage } from '@daybook/core'
import { assertWhole, endingOf, factsOf } from '../../test/ledger-facts.ts'
import { openManager, type TestManager } from '../../test/open-manager.ts'
import { aborted, eventsOf, type Script } from '../../test/scripted-backend.ts'
import { openFolder, storageKinds, temporaryFolder } from '../../test/storages.ts'
import { takeAll } from '../../test/take.ts'
import { until } from '../../test/until.ts'
import { world } from '../../test/world.ts'

const hang: Script = async function* ({ turnId, abortSignal }) {
  const say = eventsOf(turnId)
  yield say.text('let me look')
  yield say.call('c1')
  yield say.delta('I see')
  await aborted(abortSignal)
}
const answer: Script = async function* ({ turnId }) {
  const say = eventsOf(turnId)
  yield say.text('hello')
  yield say.complete()
}
const message = { turnId: 'turn-1', text: 'hi' }
const cutShort = ['invocation_opened', 'user:hi', 'text:let me look', 'function_call:c1']
const recovered = [...cutShort, 'error:app_restarted', 'function_response:unknown', 'failed']
const appRestarted = { stopReason: 'error', failureCode: 'app_restarted' }

/** A turn in the middle, left by a process that was the first in its world. */
async function leaveInTheMiddle(storage: OpenedStorage): Promise<TestManager> {
  const first = await openManager(storage, hang, { processTable: world('1') })
  const iterator = first.manager.sendMessage(first.session.id, message)
  for (let taken = 0; taken < 3; taken++) await iterator.next()
  return first
}

for (const { name, open } of storageKinds) {
  describe(`a send on ${name} that finds an unfinished run`, () => {
    test('of a dead owner takes it over, closes what was open, and goes on', async () => {
      const { storage, dispose } = open()
      const { session } = await leaveInTheMiddle(storage)
      const { manager, backend } = await openManager(storage, answer, { processTable: world('2') })
      await takeAll(manager.sendMessage(session.id, { text: 'are you there?' }))
      assert.deepEqual(await factsOf(storage, session.id), [
        ...recovered,
        'invocation_opened',
        'user:are you there?',
        'text:hello',
        'completed',
      ])
      const first = (await manager.listInvocations(session.id)).find(({ turnId }) => turnId === 'turn-1')
      assert.deepEqual(first?.terminalEvent?.actions?.ending, appRestarted)
      assert.equal((await storage.runs.readRun(first!.runId))?.epoch, 2)
      assert.deepEqual(backend.inputs[0]?.history, [
        { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
        {
          role: 'assistant',
          parts: [
            { type: 'text', text: 'let me look' },
            { type: 'tool_call', toolCallId: 'c1', toolName: 'tool', args: {} },
          ],
        },
        {
          role: 'tool',
          parts: [{ type: 'tool_result', toolCallId: 'c1', toolName: 'tool', outcome: 'unknown', result: null }],
        },
      ])
      await assertWhole(storage)
      await dispose()
    })

    test('keeps a stale owner that wakes up from writing anything', async () => {
      const { storage, dispose } = open()
      const first = await leaveInTheMiddle(storage)
      const { manager } = await openManager(storage, answer, { processTable: world('2') })
      await takeAll(manager.sendMessage(first.session.id, { text: 'more' }))
      const facts = await factsOf(storage, first.session.id)
      await assert.rejects(first.manager.stopSession(first.session.id), { code: 'STALE_OWNER' })
      assert.deepEqual(await factsOf(storage, first.session.id), facts)
      await assertWhole(storage)
      await dispose()
    })

    test('of an owner that may be alive is refused', async () => {
      const { storage, dispose } = open()
      const { session } = await leaveInTheMiddle(storage)
      for (const table of [
        world('1'),
        world('2', { bootId: 'another boot' }),
        world('2', { bootId: null }),
        world('2', { pidNamespace: 'pid:[2]' }),
        world('2', { look: () => ({ startedAt: null }) }),
      ]) {
        const { manager } = await openManager(storage, answer, { processTable: table })
        await assert.rejects(manager.startTurn(session.id, { text: 'more' }), { code: 'SESSION_BUSY' })
      }
      assert.deepEqual(await factsOf(storage, session.id), cutShort)
      await dispose()
    })

    test('ends it also for a repeated message, and tells that its turn exists and failed', async () => {
      const { storage, dispose } = open()
      const { session } = await leaveInTheMiddle(storage)
      const { manager } = await openManager(storage, answer, { processTable: world('2') })
      const repeated = { code: 'TURN_EXISTS', state: 'failed', sameInput: true }
      await assert.rejects(manager.startTurn(session.id, message), repeated)
      assert.deepEqual(await factsOf(storage, session.id), recovered)
      await dispose()
    })

    test('closes it once when many processes and calls find it', async () => {
      const { storage, dispose } = open()
      const { session } = await leaveInTheMiddle(storage)
      const others = await Promise.all(
        ['2', '3', '4'].map((startedAt) => openManager(storage, answer, { processTable: world(startedAt) })),
      )
      const sent = await Promise.allSettled(
        [...others, ...others].map(({ manager }) => manager.startTurn(session.id, { text: 'more' })),
      )
      const started = sent.filter((one) => one.status === 'fulfilled')
      assert.ok(started.length >= 1)
      for (const one of sent) if (one.status === 'rejected') assert.equal(one.reason.code, 'SESSION_BUSY')
      await Promise.all(started.map((one) => one.value.finished))
      assert.deepEqual((await factsOf(storage, session.id)).slice(0, recovered.length), recovered)
      await assertWhole(storage)
      await dispose()
    })

    test('lets the error of the store through and can be sent again', async () => {
      const { storage, dispose } = open()
      const { session } = await leaveInTheMiddle(storage)
      let failures = 2
      const runs: AgentRunStore = Object.assign(Object.create(storage.runs), {
        async claimRun(request: Parameters<AgentRunStore['claimRun']>[0]) {
          if (failures === 2) await storage.runs.claimRun(request)
          if (failures-- > 0) throw new Error('the connection was lost')
          return storage.runs.claimRun(request)
        },
      })
      const { manager } = await openManager({ ...storage, runs }, answer, { processTable: world('2') })
      for (let i = 0; i < 2; i++)
        await assert.rejects(manager.startTurn(session.id, { text: 'more' }), /connection was lost/)
      await takeAll(manager.sendMessage(session.id, { text: 'more' }))
      assert.deepEqual((await factsOf(storage, session.id)).slice(0, recovered.length), recovered)
      await assertWhole(storage)
      await dispose()
    })

    test('is needed neither to stop nor to remove a session whose owner is dead', async () => {
      const { storage, dispose } = open()
      const [first, second] = [await leaveInTheMiddle(storage), await leaveInTheMiddle(storage)]
      const { manager } = await openManager(storage, answer, { processTable: world('2') })
      assert.equal((await manager.stopSession(first.session.id))?.state, 'failed')
      assert.deepEqual(await endingOf(storage, first.session.id), appRestarted)
      assert.equal(await manager.removeSession(second.session.id), true)
      await assertWhole(storage)
      await dispose()
    })
  })
}

describe('a process that is killed in the middle of a turn', () => {
  const skip = process.platform !== 'linux' && 'needs /proc'

  test('leaves a session that takes the next message at once', { skip }, async () => {
    const folder = temporaryFolder()
    const script = fileURLToPath(new URL('../../test/die-in-a-turn.ts', import.meta.url))
    const child = spawn(process.execPath, ['--conditions=@daybook/source', script, folder.path])
    let sessionId = ''
    child.stdout.on('data', (data) => (sessionId += String(data)))
    child.stderr.on('data', (data) => process.stderr.write(data as Buffer))
    await until(() => sessionId.endsWith('\n') || child.exitCode !== null)
    sessionId = sessionId.trim()

    const { storage, dispose } = openFolder(folder.path)
    const { manager } = await openManager(storage, answer)
    await assert.rejects(manager.startTurn(sessionId, { text: 'more' }), { code: 'SESSION_BUSY' })
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited

    await takeAll(manager.sendMessage(sessionId, { text: 'more' }))
    assert.deepEqual(await factsOf(storage, sessionId), [
      ...recovered,
      'invocation_opened',
      'user:more',
      'text:hello',
      'completed',
    ])
    await manager.close()
    await assertWhole(storage)
    await dispose()
    folder.remove()
  })
})
