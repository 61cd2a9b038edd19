import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openSqlite } from '@daybook/storage'
import { OPERATIONAL_STATE_DATABASE_NAME } from '@daybook/storage/operational-state-store'
import { interleave } from '../measure/interleave.ts'
import type { BenchResult } from '../measure/result.ts'
import { withTemporaryFolder } from '../measure/temporary-folder.ts'
import { rawAppendsPerSecond } from '../raw/raw-group-commit.ts'
import { readRowsBySession } from '../raw/raw-rows.ts'
import { managedAppendsPerSecond, type Workload } from './managed-appends.ts'

const rounds = 5

/**
 * Durable appends through the session manager against raw group commit of the very rows that the session manager wrote:
 * same table, indexes, bytes, durability and concurrency. With delivery logs, each text is three rows more, which raw
 * commits do not have.
 */
export async function appendThroughput(): Promise<BenchResult[]> {
  const results: BenchResult[] = []
  for (const concurrentRuns of [1, 16, 64, 256]) {
    const workload: Workload = {
      concurrentRuns,
      runsInARow: Math.max(2, Math.ceil(16 / Math.sqrt(concurrentRuns))),
      factsPerRun: 50,
      textBytes: 300,
    }
    const figures = await withTemporaryFolder(async (folder) => {
      const emptyLedger = await ledgerFolders(folder)
      const template = await emptyLedger()
      await managedAppendsPerSecond(template, workload)
      const runs = readRowsBySession(join(template, OPERATIONAL_STATE_DATABASE_NAME))
      const producers = Array.from({ length: concurrentRuns }, () => runs.splice(0, workload.runsInARow).flat())
      return interleave(rounds, {
        raw: async () => rawAppendsPerSecond(join(await emptyLedger(), OPERATIONAL_STATE_DATABASE_NAME), producers),
        managed: async () => managedAppendsPerSecond(await emptyLedger(), workload),
        logged: async () => managedAppendsPerSecond(await emptyLedger(), { ...workload, isLogged: true }),
      })
    })
    const label = `${concurrentRuns} concurrent runs`
    const ratio = (name: string, figure: number, atLeast: number): BenchResult => ({
      name: `appends, ${label}: ${name}`,
      value: figure / figures.raw,
      unit: '×',
      ...(concurrentRuns === 64 && { target: { atLeast } }),
    })
    results.push(
      { name: `appends, ${label}: session manager`, value: figures.managed, unit: 'events/s' },
      { name: `appends, ${label}: session manager with delivery logs`, value: figures.logged, unit: 'events/s' },
      { name: `appends, ${label}: raw group commit`, value: figures.raw, unit: 'rows/s' },
      ratio('ratio to raw', figures.managed, 0.6),
      ratio('ratio to raw with delivery logs', figures.logged, 0.45),
    )
  }
  return results
}

/** Makes folders that each hold a ledger without rows. */
async function ledgerFolders(parent: string): Promise<() => Promise<string>> {
  let count = 0
  return async () => {
    const root = join(parent, `ledger-${(count += 1)}`)
    await mkdir(root)
    const storage = openSqlite(root)
    storage.close()
    return root
  }
}
