import type { RunRecord } from '@daybook/core'
import type { Database } from '../driver.ts'
import { decodeRun, type RunRow } from './run-row.ts'

export interface ReadRun {
  readonly byId: (runId: string) => RunRecord | undefined
  /** The unfinished exclusive run of the session. */
  readonly active: (sessionId: string) => RunRecord | undefined
  /** Any unfinished run of the session. */
  readonly unfinished: (sessionId: string) => RunRecord | undefined
  /** The exclusive run that was opened last in the session. */
  readonly newest: (sessionId: string) => RunRecord | undefined
  readonly ofInvocation: (invocationId: string) => RunRecord | undefined
  /** The exclusive runs of a turn, in the order in which they were opened. */
  readonly ofTurn: (sessionId: string, turnId: string) => RunRecord[]
  readonly fresh: (sessionId: string, turnId: string) => RunRecord | undefined
}

export function readRun(database: Database): ReadRun {
  const select = (where: string) => {
    const statement = database.prepare<string[], RunRow>(`SELECT * FROM agent_runs WHERE ${where} LIMIT 1`)
    return (...values: string[]) => {
      const row = statement.get(...values)
      return row && decodeRun(row)
    }
  }
  const selectTurn = database.prepare<[string, string], RunRow>(
    'SELECT * FROM agent_runs WHERE session_id = ? AND turn_id = ? AND exclusive = 1 ORDER BY rowid',
  )
  const ofInvocation = select(
    'run_id = (SELECT run_id FROM runtime_heads WHERE invocation_id = ?) AND invocation_id = ?',
  )
  return {
    byId: select('run_id = ?'),
    active: select('session_id = ? AND finished_at IS NULL AND exclusive = 1'),
    unfinished: select('session_id = ? AND finished_at IS NULL'),
    newest: select('session_id = ? AND exclusive = 1 ORDER BY rowid DESC'),
    ofInvocation: (invocationId) => ofInvocation(invocationId, invocationId),
    ofTurn: (sessionId, turnId) => selectTurn.all(sessionId, turnId).map(decodeRun),
    fresh: select("session_id = ? AND turn_id = ? AND source_kind = 'fresh'"),
  }
}
