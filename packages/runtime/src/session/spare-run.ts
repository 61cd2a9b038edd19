import type { AgentRunStore, RuntimeEventStore } from '@daybook/core'

/** Whether a run's log is kept, however old: it goes on, or it is the end of its session and can still be answered. */
export async function isSparedRun(
  runId: string,
  runStore: AgentRunStore,
  runtimeEventStore: RuntimeEventStore,
): Promise<boolean> {
  const run = await runStore.readRun(runId)
  if (run === undefined) return false
  if (run.finishedAt === null) return true
  if (run.state !== 'waiting') return false
  const requests = await runtimeEventStore.listTurnRequests(run.sessionId, run.turnId)
  return requests.some((request) => request.runId === runId && request.state === 'open')
}
