import type { RunRecord } from '@daybook/core'
import type { Database } from '../driver.ts'
import { decodeRun, type RunRow } from './run-row.ts'

export interface ReadRun {
  readonly byId: (runId: string) => RunRecord | undefined
  /** The unfinished exclusive run of the session. */
  readonly active: (sessionId: string) => RunRecord | undefined
  /** Any unfinished run of the session. */
  readonly unfinished: (sessionId: string) => RunRecord | undefined
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
  return {
    byId: select('run_id = ?'),
    active: select('session_id = ? AND finished_at IS NULL AND exclusive = 1'),
    unfinished: select('session_id = ? AND finished_at IS NULL'),
    fresh: select("session_id = ? AND turn_id = ? AND source_kind = 'fresh'"),
  }
}
