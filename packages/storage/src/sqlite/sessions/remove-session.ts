import { SessionBusyError, type SessionScope } from '@daybook/core'
import type { Decision } from '../decision.ts'
import type { Database } from '../driver.ts'
import type { Heads } from '../events/heads.ts'
import type { ReadRun } from '../runs/read-run.ts'
import type { ReadSession } from './read-session.ts'

export type RemoveSession = (sessionId: string, scope: SessionScope) => Decision<boolean>

export function removeSession(
  database: Database,
  heads: Heads,
  readRun: ReadRun,
  readSession: ReadSession,
): RemoveSession {
  const ofSession = 'invocation_id IN (SELECT invocation_id FROM runtime_events WHERE session_id = :id)'
  // In this order: the rows of events lead to the others.
  const removals = [
    `DELETE FROM agent_runs WHERE session_id = :id AND run_id IN (SELECT run_id FROM runtime_heads WHERE ${ofSession})`,
    `DELETE FROM runtime_heads WHERE session_id = :id AND ${ofSession}`,
    'DELETE FROM requests WHERE session_id = :id',
    'DELETE FROM runtime_events WHERE session_id = :id',
    'DELETE FROM sessions WHERE id = :id',
  ].map((sql) => database.prepare<[{ id: string }]>(sql))

  return (sessionId, scope) => {
    if (readSession(sessionId, scope) === undefined) return () => false
    const busy = readRun.unfinished(sessionId)
    if (busy !== undefined) throw new SessionBusyError(sessionId, busy.runId, busy.turnId)
    return () => {
      for (const removal of removals) removal.run({ id: sessionId })
      database.pragma('incremental_vacuum')
      heads.forget()
      return true
    }
  }
}
