import { type AgentRunStore, InvalidInputError, type RunRecord, type UnfinishedRunCursor } from '@daybook/core'
import type { RunRecovery } from './run-recovery.ts'

export interface RecoverOptions {
  /** At most so many runs are ended, or tried to. Default all. */
  readonly limit?: number
  /** Once it is aborted no further run is begun with, and the report tells what was done. */
  readonly signal?: AbortSignal
}

export interface RecoveryReport {
  /** How many runs this call ended. */
  readonly closed: number
  /** How many unfinished runs it saw and left, because their owners may be alive. */
  readonly left: number
  /** What could not be ended, such as a run whose events are damaged. It stays as it is, and keeps no other one back. */
  readonly failed: readonly FailedRecovery[]
}

export interface FailedRecovery {
  readonly sessionId: string
  readonly runId: string
  readonly error: unknown
}

/** So many runs are ended at once: they share transactions, and with them the waiting for the disk. */
const concurrency = 16
const pageItems = 256

/** Goes through the unfinished runs of all sessions, and ends those that nobody drives. Throws `InvalidInputError`. */
export async function recoverRuns(
  runStore: AgentRunStore,
  recovery: RunRecovery,
  { limit = Infinity, signal }: RecoverOptions,
): Promise<RecoveryReport> {
  const isLimit = limit === Infinity || (Number.isSafeInteger(limit) && limit >= 1)
  if (!isLimit) throw new InvalidInputError('limit', `must be an integer of at least 1, not ${String(limit)}`)
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
      if (tried >= limit || signal?.aborted) return { closed, left, failed }
      const batch = orphans.splice(0, Math.min(concurrency, limit - tried))
      tried += batch.length
      await Promise.all(batch.map(({ run }) => end(run)))
    }
    after = page.next
  }
  return { closed, left, failed }
}
