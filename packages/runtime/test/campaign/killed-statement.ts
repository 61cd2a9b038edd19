import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { join } from 'node:path'
import { type CrashChild, CrashHarness } from '@daybook/testing'
import { assertGoesOn } from '../after-death.ts'
import type { KilledStatementInput } from '../killed-statement-process.ts'
import { assertWhole } from '../ledger-facts.ts'
import { openManager } from '../open-manager.ts'
import { openFolder, temporaryFolder } from '../storages.ts'
import { turnInWrites, writes } from '../turn-in-writes.ts'

/** Every so many statements a process is killed. `.ci/campaigns/41-killed-statements.sh` asks for each. */
const step = Number(process.env.DAYBOOK_KILL_STEP ?? 21)
/** The statement before which the opening event is written and the user's text is not. One process is killed there. */
const userText = 4

const harness = new CrashHarness()
const folder = temporaryFolder()
after(async () => {
  await harness.close()
  folder.remove()
})
const skip = process.platform !== 'linux' && 'needs /proc'

test(
  `a turn whose process is killed at a statement is in the ledger as far as it was committed`,
  { skip },
  async (t) => {
    // The first process compiles for all.
    process.env.NODE_COMPILE_CACHE = join(folder.path, 'compile-cache')
    const { storage, dispose } = openFolder(folder.path)
    const survivor = await openManager(storage, turnInWrites)
    async function start(...holdAt: string[]): Promise<{ child: CrashChild<string>; sessionId: string }> {
      const sessionId = (await survivor.manager.createSession()).id
      const input: KilledStatementInput = { root: folder.path, sessionId }
      const module = new URL('../killed-statement-process.ts', import.meta.url)
      return { child: harness.start<string>(module, { input, holdAt }), sessionId }
    }

    const whole = await start()
    await whole.child.finish()
    const statements = whole.child.acknowledgements
    assert.equal(committedIn(statements), writes.length)
    await assertGoesOn(storage, survivor, whole.sessionId, writes.length)
    let killed = 0
    for (let next = userText % step || step; next <= statements.length; next += step) {
      const { child, sessionId } = await start(`statement ${next}`)
      await child.held()
      await child.kill()
      assert.deepEqual(child.acknowledgements, statements.slice(0, next - 1))
      await survivor.manager.recover()
      await assertGoesOn(storage, survivor, sessionId, committedIn(child.acknowledgements))
      killed += 1
    }
    t.diagnostic(`killed at ${killed} of ${statements.length} statements`)
    await assertWhole(storage)
    await dispose()
  },
)

/** Writes to the ledger: the delivery log has commits of its own. */
function committedIn(statements: readonly string[]): number {
  let [committed, isOpen] = [0, false]
  for (const statement of statements) {
    isOpen ||= statement.includes('INTO runtime_events')
    if (statement !== 'COMMIT') continue
    if (isOpen) committed++
    isOpen = false
  }
  return committed
}
