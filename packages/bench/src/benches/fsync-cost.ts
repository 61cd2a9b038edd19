import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { median } from '../measure/median.ts'
import type { BenchResult } from '../measure/result.ts'
import { withTemporaryFolder } from '../measure/temporary-folder.ts'

/** What making one 4 KiB write durable costs on this machine: the floor under every durable commit. */
export async function fsyncCost(): Promise<BenchResult[]> {
  return withTemporaryFolder(async (folder) => {
    const file = openSync(join(folder, 'fsync'), 'w')
    const block = Buffer.alloc(4096, 1)
    const elapsedMs: number[] = []
    for (let index = 0; index < 200; index += 1) {
      const started = performance.now()
      writeSync(file, block)
      fsyncSync(file)
      elapsedMs.push(performance.now() - started)
    }
    closeSync(file)
    return [{ name: 'one fsync, median of 200', value: median(elapsedMs), unit: 'ms' }]
  })
}
