import type { OpenedStorage } from '@daybook/core'
import { openMemory, openSqlite } from '@daybook/storage'
import { cpuUs } from '../measure/cpu.ts'
import { interleave } from '../measure/interleave.ts'
import type { BenchResult } from '../measure/result.ts'
import { withTemporaryFolder } from '../measure/temporary-folder.ts'
import { openManager } from './open-manager.ts'
import { streamingBackend } from './streaming-backend.ts'

const rounds = 7
const parts = 10_000
const partLength = 5

/**
 * CPU of a turn whose text comes in many deltas, less that of the same turn whose text comes whole, for each delta: with
 * deltas that come at once and so are joined to rows of 1024 characters, and with deltas of which 100 come a second by the
 * turn's clock, of which ten are a row.
 */
export async function recordingCost(): Promise<BenchResult[]> {
  const results: BenchResult[] = []
  for (const [name, withStorage] of [
    ['memory', inMemory],
    ['SQLite', onSqlite],
  ] as const) {
    const spent = (deltas: number, msPerDelta: number) => () =>
      withStorage((storage) => turnCpuUs(storage, deltas, msPerDelta))
    const figures = await interleave(rounds, { whole: spent(0, 0), fast: spent(parts, 0), paced: spent(parts, 10) })
    const recorded = `recording a part of a model's stream, ${name}`
    results.push(
      {
        name: `${recorded}, as fast as they come`,
        value: (figures.fast - figures.whole) / parts,
        unit: 'µs CPU',
        target: { atMost: 15 },
      },
      {
        name: `${recorded}, 100 a second`,
        value: (figures.paced - figures.whole) / parts,
        unit: 'µs CPU',
      },
    )
  }
  return results
}

async function turnCpuUs(storage: OpenedStorage, deltas: number, msPerDelta: number): Promise<number> {
  let time = Date.now()
  const text = 'x'.repeat(parts * partLength)
  const backend = streamingBackend({ deltas, text, onDelta: () => (time += msPerDelta) })
  const manager = openManager(storage, backend, { agentEventStore: storage.agentEvents, now: () => time })
  const { id } = await manager.createSession({ backend: 'scripted' })
  const before = cpuUs()
  const { finished } = await manager.startTurn(id, { text: 'go on' })
  const { state } = await finished
  const spent = cpuUs() - before
  if (state !== 'completed') throw new Error(`the turn has ${state}`)
  await manager.close()
  return spent
}

async function inMemory(use: (storage: OpenedStorage) => Promise<number>): Promise<number> {
  const storage = openMemory()
  const result = await use(storage)
  storage.close()
  return result
}

async function onSqlite(use: (storage: OpenedStorage) => Promise<number>): Promise<number> {
  return withTemporaryFolder(async (root) => {
    const storage = openSqlite(root)
    const result = await use(storage)
    storage.close()
    return result
  })
}
