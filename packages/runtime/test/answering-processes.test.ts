import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { CrashHarness } from '@daybook/testing'
import type { AnsweringInput } from './answering-process.ts'
import { assertWhole } from './ledger-facts.ts'
import { openManager } from './open-manager.ts'
import { openFolder, temporaryFolder } from './storages.ts'
import { witnessedTool } from './witnessed-tool.ts'

const harness = new CrashHarness()
const folder = temporaryFolder()
after(async () => {
  await harness.close()
  folder.remove()
})

const skip = process.platform !== 'linux' && 'needs /proc'

test('a request is asked by one process, answered by a second, and gone on with by a third', { skip }, async () => {
  const { storage, dispose } = openFolder(folder.path)
  const witness = join(folder.path, 'witness')
  const { manager, session } = await openManager(storage, witnessedTool(witness))
  for (const does of ['ask', 'record'] as const) {
    const input: AnsweringInput = { root: folder.path, sessionId: session.id, witness, does }
    await harness.start(new URL('./answering-process.ts', import.meta.url), { input }).finish()
  }
  const { finished } = await manager.continueTurn(session.id)
  assert.equal((await finished).state, 'completed')
  const [turn] = await manager.transcript(session.id)
  const call = turn?.items.find((item) => item.type === 'tool_call')
  assert.deepEqual([call?.outcome, readFileSync(witness, 'utf8')], ['ok', 'x'])
  await manager.close()
  await assertWhole(storage)
  await dispose()
})
