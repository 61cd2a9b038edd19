import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { OpenedStorage } from '@daybook/core'
import { CrashHarness } from '@daybook/testing'
import type { RecoveryReport } from '@daybook/runtime/session-manager'
import { assertGoesOn, stepAfter } from './after-death.ts'
import type { KilledTurnsInput, Told } from './killed-turn-process.ts'
import { assertWhole } from './ledger-facts.ts'
import { openManager, type TestManager } from './open-manager.ts'
import { openFolder, temporaryFolder, type TestStorage } from './storages.ts'
import { turnInWrites, writes } from './turn-in-writes.ts'

/** Where a turn is when its process is killed, and in how many of its writes. */
const points = writes.flatMap((facts, index) => [
  { name: `before ${facts.at(-1)}`, written: index, told: index - 1 },
  { name: `after ${facts.at(-1)}`, written: index + 1, told: index - 1 },
  ...(facts.includes('function_call:c1') ? [{ name: 'in the tool', written: index + 1, told: index }] : []),
])
const skip = process.platform !== 'linux' && 'needs /proc'

describe('a turn whose process is killed', () => {
  const folder = temporaryFolder()
  const harness = new CrashHarness()
  const sessionOf = new Map<string, string>()
  let storage: OpenedStorage
  let dispose: TestStorage['dispose']
  let survivor: TestManager
  let told: readonly Told[]
  let report: RecoveryReport

  before(async () => {
    ;({ storage, dispose } = openFolder(folder.path))
    survivor = await openManager(storage, turnInWrites)
    for (const { name } of points) sessionOf.set(name, (await survivor.manager.createSession()).id)
    const input: KilledTurnsInput = {
      root: folder.path,
      points: Object.fromEntries([...sessionOf].map(([name, sessionId]) => [sessionId, name])),
    }
    const module = new URL('./killed-turn-process.ts', import.meta.url)
    const child = harness.start<Told>(module, { input, holdAt: ['everywhere'] })
    await child.held()
    assert.equal((await survivor.manager.recover()).closed, 0)
    await child.kill()
    told = child.acknowledgements
    report = await survivor.manager.recover()
  })
  after(async () => {
    await harness.close()
    await dispose()
    folder.remove()
  })

  test('is ended where the state table says so, once', { skip }, async () => {
    const ended = points.filter(({ written }) => stepAfter(writes.slice(0, written).flat()).effect !== 'ignore')
    assert.deepEqual(report, { closed: ended.length, left: 0, expired: 0, failed: [] })
    assert.equal((await survivor.manager.recover()).closed, 0)
    await assertWhole(storage)
  })

  for (const { name, written, told: count } of points) {
    test(`${name} keeps what it committed, and its session goes on`, { skip }, async () => {
      const sessionId = sessionOf.get(name)!
      assert.equal(told.filter((each) => each.sessionId === sessionId).length, Math.max(0, count))
      await assertGoesOn(storage, survivor, sessionId, written)
    })
  }

  test('leaves a ledger that verifies, with all that came after it', () => assertWhole(storage))
})
