import { planRemoval, type SessionScope } from '@daybook/core'
import type { WriteLog } from '../agent-events/write-log.ts'
import type { Decision } from '../decision.ts'
import type { Database } from '../driver.ts'
import type { Kept } from '../kept.ts'
import type { ReadRun } from '../runs/read-run.ts'
import type { SearchIndex } from '../search/search-index.ts'
import type { ReadSession } from './read-session.ts'

export type RemoveSession = (sessionId: string, scope: SessionScope, withBranches: boolean) => Decision<boolean>

export function removeSession(
  database: Database,
  kept: Kept,
  readRun: ReadRun,
  readSession: ReadSession,
  search: SearchIndex,
  logs: WriteLog,
): RemoveSession {
  const ofSession = 'invocation_id IN (SELECT invocation_id FROM runtime_events WHERE session_id = :id)'
  // In this order: the rows of events lead to the others.
  const removals = [
    `DELETE FROM agent_runs WHERE session_id = :id AND run_id IN (SELECT run_id FROM runtime_heads WHERE ${ofSession})`,
    `DELETE FROM runtime_heads WHERE session_id = :id AND ${ofSession}`,
    'DELETE FROM runtime_events WHERE session_id = :id',
    'DELETE FROM requests WHERE session_id = :id',
    'DELETE FROM session_revisions WHERE session_id = :id',
    'DELETE FROM session_listings WHERE session_id = :id',
    'DELETE FROM sessions WHERE id = :id',
  ].map((sql) => database.prepare<[{ id: string }]>(sql))
  const branchesOf = database
    .prepare<[string, string], string>(
      `SELECT session_id FROM session_listings
      WHERE tenant = ? AND archived = 'any' AND label = '' AND parent_session_id = ?`,
    )
    .pluck()

  return (sessionId, scope, withBranches) => {
    if (readSession(sessionId, scope) === undefined) return () => false
    const branches = (id: string) => branchesOf.all(scope.tenant ?? '', id)
    const ids = planRemoval(sessionId, withBranches, {
      subtree() {
        const found = [sessionId]
        for (const id of found) found.push(...branches(id))
        return found
      },
      countBranches: () => branches(sessionId).length,
      findUnfinishedRun: readRun.unfinished,
    })
    return () => {
      for (const id of ids) {
        search.forget(id)
        logs.removeOfThread(id)
        for (const removal of removals) removal.run({ id })
      }
      search.stepBack()
      database.pragma('incremental_vacuum')
      kept.forget()
      return true
    }
  }
}
