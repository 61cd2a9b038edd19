import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { BenchResult } from '../measure/result.ts'
import { withTemporaryFolder } from '../measure/temporary-folder.ts'
import { managedAppendsPerSecond } from './managed-appends.ts'

const nanosecondsPerMs = 1e6

/** How long the event loop is held up while 64 runs commit as fast as they can. */
export async function eventLoopDelay(fsyncMs: number): Promise<BenchResult[]> {
  const workload = { concurrentRuns: 64, runsInARow: 3, factsPerRun: 50, textBytes: 300 }
  // The first run compiles the code.
  await withTemporaryFolder((root) => managedAppendsPerSecond(root, workload))
  return withTemporaryFolder(async (root) => {
    const monitor = monitorEventLoopDelay({ resolution: 1 })
    monitor.enable()
    await managedAppendsPerSecond(root, workload)
    monitor.disable()
    const p99 = monitor.percentile(99) / nanosecondsPerMs
    return [
      { name: 'event-loop delay under 64 runs, p99', value: p99, unit: 'ms', target: { atMost: 20 + 2 * fsyncMs } },
      { name: 'event-loop delay under 64 runs, median', value: monitor.percentile(50) / nanosecondsPerMs, unit: 'ms' },
    ]
  })
}
