import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { openSqlite } from '@daybook/storage'
import { CrashHarness } from '@daybook/testing'
import type { AnsweringInput } from './answering-process.ts'
import { assertWhole } from './ledger-facts.ts'
import { openManager } from './open-manager.ts'
import { temporaryFolder } from './storages.ts'
import { witnessedTool } from './witnessed-tool.ts'

const harness = new CrashHarness()
const folder = temporaryFolder()
const script = new URL('./answering-process.ts', import.meta.url)
after(async () => {
  await harness.close()
  folder.remove()
})

const skip = process.platform !== 'linux' && 'needs /proc'

/** A session on the file, of which this process is the last to know. */
async function openSession() {
  const storage = openSqlite(folder.path)
  const witness = join(folder.path, `witness ${Math.random()}`)
  const { manager, session } = await openManager(storage, witnessedTool(witness))
  const input = { root: folder.path, sessionId: session.id, witness }
  const timesRun = (): number => (existsSync(witness) ? readFileSync(witness, 'utf8').length : 0)
  const close = async (): Promise<void> => {
    await manager.close()
    await assertWhole(storage)
    storage.close()
  }
  return { manager, sessionId: session.id, input, timesRun, close }
}

function start(input: AnsweringInput, ...holdAt: string[]) {
  return harness.start<string>(script, { input, holdAt })
}

describe('a request', () => {
  test(
    'is asked by one process, answered by a second once that is gone, and gone on with by a third',
    { skip },
    async () => {
      const { manager, sessionId, input, timesRun, close } = await openSession()
      for (const does of ['ask', 'record'] as const) await start({ ...input, does }).finish()
      assert.equal(timesRun(), 0)
      const { finished } = await manager.continueTurn(sessionId)
      assert.equal((await finished).state, 'completed')
      const [turn] = await manager.transcript(sessionId)
      assert.deepEqual([turn?.items[0]?.type === 'tool_call' && turn.items[0].outcome, timesRun()], ['ok', 1])
      await close()
    },
  )

  for (const [does, point, runs, outcome] of [
    ['ask', 'asked', 0, 'unknown'],
    ['approve', 'answered', 0, 'unknown'],
    ['approve', 'run the tool', 1, 'unknown'],
    ['approve', 'recorded the result', 1, 'ok'],
  ] as const) {
    test(
      `whose process is killed when it has ${point}: its call is ${outcome} and was run ${runs} times`,
      { skip },
      async () => {
        const { manager, sessionId, input, timesRun, close } = await openSession()
        if (does === 'approve') await (await manager.startTurn(sessionId, { text: 'ask' })).finished
        const child = start({ ...input, does }, point)
        await child.held()
        await child.kill()
        assert.equal((await manager.recover()).closed, 1)
        assert.deepEqual((await manager.listOpenRequests({ sessionId })).items, [])
        const next = await manager.startTurn(sessionId, { text: 'and now?' })
        assert.equal((await next.finished).state, 'completed')
        const [turn] = await manager.transcript(sessionId)
        const call = turn?.items.find((item) => item.type === 'tool_call')
        assert.deepEqual([call?.outcome, timesRun()], [outcome, runs])
        await close()
      },
    )
  }
})
