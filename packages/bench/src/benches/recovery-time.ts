import { openSqlite } from '@daybook/storage'
import { interleave } from '../measure/interleave.ts'
import type { BenchResult } from '../measure/result.ts'
import { withTemporaryFolder } from '../measure/temporary-folder.ts'
import { leaveUnfinished, unfinishedRuns, writeHistory } from '../raw/history.ts'
import { openManager } from './open-manager.ts'
import { waitingBackend } from './waiting-backend.ts'

const rounds = 5
/** Each round ends the unfinished runs of one; so does the round that does not count. */
export const recoveryGroups: number = rounds + 1

/** Recovers 1,000 unfinished runs among 10,000 events, theirs included, and in a ledger with a million of others. */
export async function recoveryTime(longRoot: string): Promise<BenchResult[]> {
  let group = 0
  const figures = await interleave(rounds, {
    short: () =>
      withTemporaryFolder(async (root) => {
        await writeHistory(root, { events: 7_000, groups: 1 })
        return recoverMs(root, 0)
      }),
    long: () => recoverMs(longRoot, group++),
  })
  const name = `recovering ${unfinishedRuns.toLocaleString('en')} runs`
  return [
    { name: `${name} among 10,000 events`, value: figures.short, unit: 'ms' },
    { name: `${name} among 1,000,000 events`, value: figures.long, unit: 'ms' },
    {
      name: `${name}, 1,000,000 events against 10,000`,
      value: figures.long / figures.short,
      unit: '×',
      target: { atMost: 2 },
    },
  ]
}

async function recoverMs(root: string, group: number): Promise<number> {
  leaveUnfinished(root, group)
  const storage = openSqlite(root)
  const manager = openManager(storage, waitingBackend())
  const started = performance.now()
  const { closed } = await manager.recover()
  const elapsedMs = performance.now() - started
  await manager.close()
  storage.close()
  if (closed !== unfinishedRuns) throw new Error(`${closed} of ${unfinishedRuns} runs were recovered`)
  return elapsedMs
}
