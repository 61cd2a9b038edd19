import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { OpenedStorage } from '@daybook/core'
import { CrashHarness } from '@daybook/testing'
import type { RecoveryReport, TurnOutcome } from '@daybook/runtime/session-manager'
import { assertWhole, endingOf, factsOf } from './ledger-facts.ts'
import { openManager } from './open-manager.ts'
import { eventsOf, type Script } from './scripted-backend.ts'
import { openFolder, temporaryFolder } from './storages.ts'
import { takeAll } from './take.ts'
import type { ToolInput, ToolReport } from './tool-process.ts'

const answer: Script = async function* ({ turnId }) {
  const say = eventsOf(turnId)
  yield say.text('hello')
  yield say.complete()
}
const inATool = ['invocation_opened', 'user:hi', 'text:let me look', 'function_call:c1']
const appRestarted = [...inATool, 'error:app_restarted', 'function_response:unknown', 'failed']

const harness = new CrashHarness()
const folder = temporaryFolder()
after(async () => {
  await harness.close()
  folder.remove()
})

/** A process in the middle of a tool. */
async function startTool(untilStopped: boolean, holdAt: readonly string[] = []) {
  const input: ToolInput = { root: folder.path, untilStopped }
  const child = harness.start<ToolReport>(new URL('./tool-process.ts', import.meta.url), { input, holdAt })
  await child.acknowledged(1)
  const [first] = child.acknowledgements
  assert.ok(first !== undefined && 'sessionId' in first)
  return { child, sessionId: first.sessionId }
}

const skip = process.platform !== 'linux' && 'needs /proc'

describe('processes on one file', () => {
  test('one stops the turn of another: its backend is asked once, and the end is durable for both', async () => {
    const { child, sessionId } = await startTool(true)
    const { storage, dispose } = openFolder(folder.path)
    const input = { root: folder.path, sessionId }
    const other = harness.start<TurnOutcome>(new URL('./stop-process.ts', import.meta.url), { input })
    await other.finish()
    const [outcome] = other.acknowledgements
    assert.deepEqual([outcome?.state, outcome?.ending], ['aborted', { stopReason: 'user_stop', abortSource: 'user' }])
    await child.finish()
    assert.deepEqual(child.acknowledgements[1], {
      state: 'aborted',
      calls: ['send turn-1', 'stop user'],
    })
    assert.deepEqual(await factsOf(storage, sessionId), [
      ...inATool,
      'function_response:ok',
      'text:I see:interrupted',
      'aborted',
    ])
    await assertWhole(storage)
    await dispose()
  })

  test('one is killed in a tool: another recovers its turn at once', { skip }, async () => {
    const { child, sessionId } = await startTool(true)
    const { storage, dispose } = openFolder(folder.path)
    const { manager } = await openManager(storage, answer)
    assert.deepEqual(await manager.recover(), { closed: 0, left: 1, expired: 0, failed: [] })
    await child.kill()
    assert.deepEqual(await manager.recover(), { closed: 1, left: 0, expired: 0, failed: [] })
    assert.deepEqual(await factsButText(storage, sessionId), appRestarted)
    assert.equal((await endingOf(storage, sessionId))?.partialText, undefined)
    assert.equal((await takeAll(manager.sendMessage(sessionId, { text: 'and now?' }))).at(-1)?.type, 'complete')
    await assertWhole(storage)
    await dispose()
  })

  test('one is stopped by SIGSTOP in a tool and loses its lease: it appends nothing when it goes on, and says why', async () => {
    const { child, sessionId } = await startTool(false, ['in the tool'])
    await child.held()
    await child.pause()
    child.goOn()
    // By this clock the lease has expired, and nobody waits for that.
    const { storage, dispose } = openFolder(folder.path, { now: () => Date.now() + 60_000 })
    const { manager } = await openManager(storage, answer)
    assert.deepEqual(await manager.recover(), { closed: 1, left: 0, expired: 0, failed: [] })
    assert.equal((await takeAll(manager.sendMessage(sessionId, { text: 'and now?' }))).at(-1)?.type, 'complete')
    const facts = await factsOf(storage, sessionId)
    assert.deepEqual(facts.slice(0, appRestarted.length), appRestarted)
    child.resume()
    await child.finish()
    const end = child.acknowledgements[1]
    assert.ok(end !== undefined && 'state' in end)
    assert.deepEqual([end.state, end.code, end.unrecorded], ['running', 'STALE_OWNER', 'tool_result'])
    assert.match(end.calls[1] ?? '', /^stop /)
    assert.deepEqual(await factsOf(storage, sessionId), facts)
    await assertWhole(storage)
    await dispose()
  })

  test('eight recover what others left together, and each turn is ended once', { skip }, async () => {
    const left = [await startTool(true), await startTool(true), await startTool(true)]
    for (const { child } of left) await child.kill()
    const script = new URL('./recover-process.ts', import.meta.url)
    const holdAt = ['before it recovers']
    const children = Array.from({ length: 8 }, () =>
      harness.start<RecoveryReport>(script, { input: folder.path, holdAt }),
    )
    await Promise.all(children.map((child) => child.held()))
    for (const child of children) child.goOn()
    await Promise.all(children.map((child) => child.finish()))
    const reports = children.flatMap(({ acknowledgements }) => acknowledgements)
    assert.equal(
      reports.reduce((sum, { closed }) => sum + closed, 0),
      left.length,
    )
    assert.deepEqual(
      reports.flatMap(({ failed }) => failed),
      [],
    )
    const { storage, dispose } = openFolder(folder.path)
    for (const { sessionId } of left) assert.deepEqual(await factsButText(storage, sessionId), appRestarted)
    await assertWhole(storage)
    await dispose()
  })
})

/** Whether the log had the text that was begun before the kill depends on the time. */
async function factsButText(storage: OpenedStorage, sessionId: string): Promise<string[]> {
  return (await factsOf(storage, sessionId)).filter((word) => word !== 'text:I see:interrupted')
}
