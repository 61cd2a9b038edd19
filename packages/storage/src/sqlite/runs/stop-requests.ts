import { type RunOwner, RunNotFoundError, type RunRecord, type StopRequest } from '@daybook/core'
import type { Decision } from '../decision.ts'
import type { Database } from '../driver.ts'
import type { ReadRun } from './read-run.ts'

export interface StopRequests {
  /** Keeps the first request of an unfinished run. */
  readonly write: (runId: string, request: StopRequest) => Decision<RunRecord>
  /** Those of the unfinished runs of this owner. */
  readonly ofOwner: (owner: RunOwner) => (StopRequest & { readonly runId: string })[]
}

export function stopRequests(database: Database, readRun: ReadRun): StopRequests {
  const update = database.prepare('UPDATE agent_runs SET stop_requested_at = ?, stop_requested_by = ? WHERE run_id = ?')
  const select = database.prepare<(string | number | null)[], StopRequest & { readonly runId: string }>(
    `SELECT run_id AS runId, stop_requested_at AS requestedAt, stop_requested_by AS by FROM agent_runs
    WHERE stop_requested_at IS NOT NULL AND finished_at IS NULL AND owner_pid = ? AND owner_boot_id IS ?
      AND owner_pid_namespace IS ? AND owner_process_started_at IS ?`,
  )
  return {
    write: (runId, stopRequest) => {
      const run = readRun.byId(runId)
      if (run === undefined) throw new RunNotFoundError(runId)
      if (run.finishedAt !== null || run.stopRequest !== null) return () => run
      return () => {
        update.run(stopRequest.requestedAt, stopRequest.by, runId)
        return { ...run, stopRequest }
      }
    },
    ofOwner: ({ pid, bootId, pidNamespace, processStartedAt }) =>
      select.all(pid, bootId, pidNamespace, processStartedAt),
  }
}
