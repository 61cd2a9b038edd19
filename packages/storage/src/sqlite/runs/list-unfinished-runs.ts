import { hasLeaseExpired, type Page, type UnfinishedRun, type UnfinishedRunCursor } from '@daybook/core'
import type { Database } from '../driver.ts'
import { decodeRun, type RunRow } from './run-row.ts'

/** A page strictly after the cursor. */
export type ListUnfinishedRuns = (
  after: UnfinishedRunCursor,
  limit: number,
  now: number,
) => Page<UnfinishedRun, UnfinishedRunCursor>

export function listUnfinishedRuns(database: Database): ListUnfinishedRuns {
  const select = database.prepare<[string, string, number], RunRow>(
    `SELECT * FROM agent_runs WHERE finished_at IS NULL AND (session_id, run_id) > (?, ?)
    ORDER BY session_id, run_id LIMIT ?`,
  )
  return (after, limit, now) => {
    const runs = select.all(after.sessionId, after.runId, limit + 1).map(decodeRun)
    const last = runs[limit - 1]
    const next = runs.length > limit && last !== undefined ? { sessionId: last.sessionId, runId: last.runId } : null
    const items = runs.slice(0, limit).map((run) => ({ run, leaseExpired: hasLeaseExpired(run, now) }))
    return { items, next, floor: 1 }
  }
}
