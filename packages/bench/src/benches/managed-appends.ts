import type { SessionManagerOptions } from '@daybook/runtime/session-manager'
import { openSqlite } from '@daybook/storage'
import { openManager } from './open-manager.ts'
import { scriptedBackend } from './scripted-backend.ts'

export interface Workload {
  readonly concurrentRuns: number
  /** How many runs follow one another in each of the concurrent places, each in a session of its own. */
  readonly runsInARow: number
  readonly factsPerRun: number
  readonly textBytes: number
  /** Whether each run writes a delivery log, which is told of a text when it is whole. Default not. */
  readonly isLogged?: boolean
}

/** Events that one run commits: its opening, the user's text, the facts and the terminal. */
function eventsPerRun(workload: Workload): number {
  return workload.factsPerRun + 3
}

/** Committed events per second of whole runs through the session manager, at `durability: 'full'`. */
export async function managedAppendsPerSecond(
  root: string,
  workload: Workload,
  options: Partial<SessionManagerOptions> = {},
): Promise<number> {
  const storage = openSqlite(root)
  const manager = openManager(storage, scriptedBackend(workload.factsPerRun, workload.textBytes), {
    ...(workload.isLogged === true && { agentEventStore: storage.agentEvents }),
    ...options,
  })
  const started = performance.now()
  await Promise.all(
    Array.from({ length: workload.concurrentRuns }, async () => {
      for (let count = 0; count < workload.runsInARow; count += 1) {
        const { id } = await manager.createSession({ backend: 'scripted', permissionMode: 'bypass' })
        for await (const _event of manager.sendMessage(id, { text: 'go on' }));
      }
    }),
  )
  const elapsedMs = performance.now() - started
  await manager.close()
  storage.close()
  const runs = workload.concurrentRuns * workload.runsInARow
  return (runs * eventsPerRun(workload) * 1000) / elapsedMs
}
