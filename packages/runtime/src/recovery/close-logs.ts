import type { AgentEventRunCursor, AgentRunStore } from '@daybook/core'
import { closeLog, type CloseLogContext } from './close-log.ts'
import type { FailedRecovery } from './recovery-report.ts'

export interface CloseLogsContext extends CloseLogContext {
  readonly runStore: AgentRunStore
}

/** No clock decides which logs are looked at. */
const latest = Number.MAX_SAFE_INTEGER

/** Ends the logs of runs that have ended. Costs what the logs cost that are open; those of runs that go on are left. */
export async function closeLogs(
  signal: AbortSignal | undefined,
  context: CloseLogsContext,
): Promise<readonly FailedRecovery[]> {
  const { agentEvents, runStore } = context
  const failed: FailedRecovery[] = []
  for (let after: AgentEventRunCursor | null | undefined; after !== null && signal?.aborted !== true;) {
    const page = await agentEvents.store.listRuns({ finished: false, until: latest, ...(after && { after }) })
    for (const { runId, threadId } of page.items) {
      try {
        const run = await runStore.readRun(runId)
        if (run !== undefined && run.finishedAt !== null) await closeLog(run, context)
      } catch (error) {
        failed.push({ sessionId: threadId, runId, error })
      }
    }
    after = page.next
  }
  return failed
}
