import { setTimeout as delay } from 'node:timers/promises'
import type { OpenedStorage, RuntimeEventStore } from '@daybook/core'
import { openSqlite } from '@daybook/storage'
import { percentile } from '../measure/percentile.ts'
import type { BenchResult } from '../measure/result.ts'
import { withTemporaryFolder } from '../measure/temporary-folder.ts'
import { nextMessage, startProcess } from '../processes/bench-process.ts'
import type { OwnerInput } from '../processes/owner-process.ts'
import { openManager } from './open-manager.ts'
import { waitingBackend } from './waiting-backend.ts'

const everyMs = 100
const leaseMs = 1000

/**
 * From the SIGKILL of an owner to the durable end of its run, in a process that recovers every 100 ms: of the same host,
 * where its death is seen, and of another one, where its lease of a second has to expire.
 */
export async function killToClose(): Promise<BenchResult[]> {
  return [
    ...(await figures(`killed owner to closed run, same host, every ${everyMs} ms`, 20, { leaseMs, elsewhere: false })),
    ...(await figures(`killed owner to closed run, lease of ${leaseMs} ms`, 11, { leaseMs, elsewhere: true })),
  ]
}

async function figures(name: string, rounds: number, owner: Omit<OwnerInput, 'root'>): Promise<BenchResult[]> {
  return withTemporaryFolder(async (root) => {
    const storage = openSqlite(root)
    let closed = (_at: number): void => {}
    const watched = { ...storage, events: watchAppends(storage, () => closed(performance.now())) }
    const manager = openManager(watched, waitingBackend(), { recovery: { everyMs } })
    // The timers of the runtime let a process end.
    const staysAlive = setInterval(() => {}, leaseMs)
    const elapsedMs: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const child = startProcess(new URL('../processes/owner-process.ts', import.meta.url), { root, ...owner })
      const isClosed = new Promise<number>((resolve) => (closed = resolve))
      await nextMessage(child)
      // Each round hits another part of the time between two recoveries and between two renewals.
      await delay((Math.random() * leaseMs) / 3)
      const killedAt = performance.now()
      child.kill('SIGKILL')
      const closedAt = await isClosed
      // A machine that is too busy for its owner to renew the lease closes the run before.
      if (closedAt > killedAt) elapsedMs.push(closedAt - killedAt)
    }
    clearInterval(staysAlive)
    await manager.close()
    storage.close()
    return [
      { name: `${name}, p50`, value: percentile(elapsedMs, 0.5), unit: 'ms' },
      { name: `${name}, longest of ${elapsedMs.length}`, value: Math.max(...elapsedMs), unit: 'ms' },
    ]
  })
}

/** Recovery is the only one to append: what it appends closes a run. */
function watchAppends({ events }: OpenedStorage, appended: () => void): RuntimeEventStore {
  return {
    ...events,
    async append(request) {
      const result = await events.append(request)
      appended()
      return result
    },
  }
}
