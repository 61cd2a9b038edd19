import type { AgentRunStore, RunRecord, UnfinishedRunCursor } from '@daybook/core'
import type { FailedRecovery } from './recovery-report.ts'
import type { RunRecovery } from './run-recovery.ts'

/** What became of the runs that nobody drives. */
export interface RunsReport {
  readonly tried: number
  readonly closed: number
  readonly left: number
  readonly failed: readonly FailedRecovery[]
}

/** So many runs are ended at once: they share transactions, and with them the waiting for the disk. */
const concurrency = 16
const pageItems = 256

/** Goes through the unfinished runs of all sessions, and ends at most so many of those that nobody drives. */
export async function recoverRuns(
  runStore: AgentRunStore,
  recovery: RunRecovery,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<RunsReport> {
  const failed: FailedRecovery[] = []
  let [tried, closed, left] = [0, 0, 0]

  async function end({ runId, sessionId }: RunRecord): Promise<void> {
    try {
      const outcome = await recovery.endIfOrphaned(runId)
      if (outcome === 'closed') closed++
      if (outcome === 'owned') left++
    } catch (error) {
      failed.push({ sessionId, runId, error })
    }
  }

  for (let after: UnfinishedRunCursor | null | undefined; after !== null;) {
    const page = await runStore.listUnfinishedRuns({ limit: pageItems, ...(after && { after }) })
    const orphans = page.items.filter(({ run, leaseExpired }) => leaseExpired || recovery.isOrphan(run))
    left += page.items.length - orphans.length
    while (orphans.length > 0) {
      if (tried >= limit || signal?.aborted) return { tried, closed, left, failed }
      const batch = orphans.splice(0, Math.min(concurrency, limit - tried))
      tried += batch.length
      await Promise.all(batch.map(({ run }) => end(run)))
    }
    after = page.next
  }
  return { tried, closed, left, failed }
}
