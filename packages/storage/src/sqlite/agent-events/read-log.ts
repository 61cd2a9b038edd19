import type { AgentEventHeader, AgentEventRunCursor, Page } from '@daybook/core'
import { indexPosition, type LogColumns, type StateColumns } from '../../agent-events/log-columns.ts'
import { runsPage } from '../../agent-events/runs-page.ts'
import type { Database } from '../driver.ts'

export interface LogRow extends StateColumns {
  /** What its rows name it by. */
  readonly number: number
  readonly claimedAt: number | null
}

export interface ReadLog {
  readonly ofRun: (runId: string) => LogRow | undefined
  readonly list: (
    finished: boolean,
    until: number,
    after: AgentEventRunCursor | undefined,
    limit: number,
  ) => Page<AgentEventHeader, AgentEventRunCursor>
  /** A text for each run that has a log, another one whenever the log was changed. */
  readonly marks: (runIds: readonly string[]) => ReadonlyMap<string, string>
}

const headerColumns =
  'run_id AS runId, thread_id AS threadId, opened_at AS openedAt, finished_at AS finishedAt, details'

export function readLog(database: Database): ReadLog {
  const ofRun = database.prepare<[string], LogRow>(
    `SELECT number, ${headerColumns}, claimed_at AS claimedAt, last_seq AS lastSeq, bytes, floor, truncated
    FROM agent_event_logs WHERE run_id = ?`,
  )
  const select = (time: string, condition: string) =>
    database.prepare<[number, number, string, number], LogColumns>(
      `SELECT ${headerColumns} FROM agent_event_logs
      WHERE ${condition} AND ${time} <= ? AND (${time}, run_id) > (?, ?) ORDER BY ${time}, run_id LIMIT ?`,
    )
  const finishedRuns = select('finished_at', 'finished_at IS NOT NULL')
  const openRuns = select('opened_at', 'finished_at IS NULL')
  const marks = database
    .prepare<[string], [runId: string, mark: string]>(
      `SELECT run_id, concat_ws(' ', number, opened_at, last_seq, floor, finished_at) FROM json_each(?)
      CROSS JOIN agent_event_logs ON run_id = value`,
    )
    .raw()
  return {
    ofRun: (runId) => ofRun.get(runId),
    list(finished, until, after, limit) {
      const found = (finished ? finishedRuns : openRuns).all(until, ...indexPosition(after), limit + 1)
      return runsPage(found, limit)
    },
    marks: (runIds) => new Map(marks.all(JSON.stringify(runIds))),
  }
}
