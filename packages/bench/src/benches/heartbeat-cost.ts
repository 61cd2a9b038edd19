import type { SessionManagerOptions } from '@daybook/runtime/session-manager'
import { interleave } from '../measure/interleave.ts'
import type { BenchResult } from '../measure/result.ts'
import { withTemporaryFolder } from '../measure/temporary-folder.ts'
import { managedAppendsPerSecond } from './managed-appends.ts'

const rounds = 7
/** A run of this benchmark takes a second: with the default of 30 s it would see no renewal at all. */
const leaseMs = 600

/** Appends of 64 runs whose leases are renewed five times a second, against runs whose leases are not. */
export async function heartbeatCost(): Promise<BenchResult[]> {
  const workload = { concurrentRuns: 64, runsInARow: 3, factsPerRun: 50, textBytes: 300 }
  const appends = (options: Partial<SessionManagerOptions>) => (): Promise<number> =>
    withTemporaryFolder((root) => managedAppendsPerSecond(root, workload, options))
  const figures = await interleave(rounds, {
    on: appends({ leaseMs }),
    // Neither renews leases nor looks for requests to stop.
    off: appends({ startTimer: () => () => {} }),
  })
  const name = 'appends, 64 concurrent runs'
  return [
    { name: `${name}: heartbeats every ${leaseMs / 3} ms`, value: figures.on, unit: 'events/s' },
    { name: `${name}: without heartbeats`, value: figures.off, unit: 'events/s' },
    { name: `${name}: heartbeats on against off`, value: figures.on / figures.off, unit: '×' },
  ]
}
