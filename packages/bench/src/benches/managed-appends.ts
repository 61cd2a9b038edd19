import { BackendRegistry, SessionManager } from '@daybook/runtime/session-manager'
import { openSqlite } from '@daybook/storage'
import { scriptedBackend } from './scripted-backend.ts'

export interface Workload {
  readonly concurrentRuns: number
  /** Each run is followed by the next of its session, and the last one of a session by the first of another. */
  readonly sessionsInARow: number
  readonly turnsPerSession: number
  readonly factsPerTurn: number
  readonly textBytes: number
}

/** Events that one turn commits: its opening, the user's text, the facts and the terminal. */
function eventsPerTurn(workload: Workload): number {
  return workload.factsPerTurn + 3
}

/** Committed events per second of whole turns through the session manager, at `durability: 'full'`. */
export async function managedAppendsPerSecond(root: string, workload: Workload): Promise<number> {
  const storage = openSqlite(root)
  const backends = new BackendRegistry()
  backends.register('scripted', scriptedBackend(workload.factsPerTurn, workload.textBytes))
  const manager = new SessionManager({
    store: storage.sessions,
    runStore: storage.runs,
    runtimeEventStore: storage.events,
    backends,
  })
  const started = performance.now()
  await Promise.all(
    Array.from({ length: workload.concurrentRuns }, async () => {
      for (let count = 0; count < workload.sessionsInARow; count += 1) {
        const { id } = await manager.createSession({ backend: 'scripted', permissionMode: 'bypass' })
        for (let turn = 0; turn < workload.turnsPerSession; turn += 1) {
          for await (const _event of manager.sendMessage(id, { text: 'go on' }));
        }
      }
    }),
  )
  const elapsedMs = performance.now() - started
  await manager.close()
  storage.close()
  const turns = workload.concurrentRuns * workload.sessionsInARow * workload.turnsPerSession
  return (turns * eventsPerTurn(workload) * 1000) / elapsedMs
}
