import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type AgentEventRow, agentRunEnd } from '@daybook/core'
import { CrashHarness } from '@daybook/testing'
import type { SpeakingRun } from './killed-speaker-process.ts'
import { assertWhole, endingOf, factsOf } from './ledger-facts.ts'
import { managerOver } from './open-manager.ts'
import { openFolder, temporaryFolder } from './storages.ts'

const skip = process.platform !== 'linux' && 'needs /proc'

describe('a process that is killed while it speaks', () => {
  const folder = temporaryFolder()
  const harness = new CrashHarness()
  const { storage, dispose } = openFolder(folder.path, { durability: 'normal' })
  after(async () => {
    await harness.close()
    await dispose()
    folder.remove()
  })

  test(
    'leaves its followers the end that recovery writes, and the ledger the text that they saw',
    { skip },
    async () => {
      const child = harness.start<SpeakingRun>(new URL('./killed-speaker-process.ts', import.meta.url), {
        input: folder.path,
      })
      await child.acknowledged(1)
      const { sessionId, runId } = child.acknowledgements[0]!
      const manager = managerOver(storage)
      const follow = await manager.follow(runId)
      const rows: AgentEventRow[] = []
      let deltas = 0
      for await (const row of follow) {
        rows.push(row)
        if (typeof row.event.delta === 'string' && ++deltas === 20) {
          await child.kill()
          const { closed, failed } = await manager.recover()
          assert.deepEqual([closed, failed], [1, []])
        }
      }
      assert.equal((await follow.ended).end, 'terminal')
      assert.deepEqual(
        rows.map(({ seq }) => seq),
        rows.map((_, index) => index + 1),
      )
      assert.ok(agentRunEnd(rows.at(-1)!.event) !== undefined)
      const seen = rows.map(({ event }) => (typeof event.delta === 'string' ? event.delta : '')).join('')
      const kept = (await factsOf(storage, sessionId)).filter((word) => word.startsWith('text:'))
      assert.deepEqual(kept, [`text:${seen}:interrupted`])
      assert.equal((await endingOf(storage, sessionId))?.failureCode, 'app_restarted')
      await manager.close()
      await assertWhole(storage)
    },
  )
})
