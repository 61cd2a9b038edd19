import { AGENT_EVENT_SWEEP_CLAIM_MS, type AgentEventHeader, checkAgentEventTrim } from '@daybook/core'
import { encodeHeader, noTime } from '../../agent-events/log-columns.ts'
import type { Decision } from '../decision.ts'
import type { Database } from '../driver.ts'
import type { ChangedRuns } from './changed-runs.ts'
import { splitRows } from './joined-rows.ts'
import type { LogPositions } from './log-positions.ts'
import type { ReadLog } from './read-log.ts'

/** See `AgentEventStore`. */
export interface WriteLog {
  readonly create: (header: AgentEventHeader) => Decision<boolean>
  readonly header: (header: AgentEventHeader) => Decision<void>
  readonly claim: (runId: string, now: number) => Decision<boolean>
  readonly trim: (runId: string, floor: number) => Decision<void>
  readonly remove: (runId: string) => Decision<boolean>
  /** Those of a session that is removed. */
  readonly removeOfThread: (threadId: string) => void
}

export function writeLog(
  database: Database,
  readLog: ReadLog,
  positions: LogPositions,
  changed: ChangedRuns,
): WriteLog {
  const upsert = database.prepare<[string, string, number, number | null, string]>(
    `INSERT INTO agent_event_logs (run_id, thread_id, opened_at, finished_at, last_seq, floor, bytes, truncated, details)
    VALUES (?, ?, ?, ?, 0, 1, 0, 0, ?)
    ON CONFLICT (run_id) DO UPDATE SET thread_id = excluded.thread_id, opened_at = coalesce(nullif(opened_at, ${noTime}), excluded.opened_at),
      finished_at = coalesce(finished_at, excluded.finished_at), details = excluded.details`,
  )
  const updateClaim = database.prepare('UPDATE agent_event_logs SET claimed_at = ? WHERE number = ?')
  const updateFloor = database.prepare('UPDATE agent_event_logs SET floor = ? WHERE number = ?')
  const deleteBelow = database.prepare('DELETE FROM agent_events WHERE log = ? AND last_seq < ?')
  const firstRows = database
    .prepare<[number], [number: number, lastSeq: number, lines: string]>(
      'SELECT number, last_seq, CAST(lines AS TEXT) FROM agent_events WHERE log = ? ORDER BY last_seq LIMIT 1',
    )
    .raw()
  const updateRows = database.prepare('UPDATE agent_events SET write_id = NULL, lines = ? WHERE number = ?')
  const deleteRows = database.prepare('DELETE FROM agent_events WHERE log = ?')
  const deleteLog = database.prepare('DELETE FROM agent_event_logs WHERE number = ?')
  const ofThread = database.prepare<[string], { number: number; runId: string }>(
    'SELECT number, run_id AS runId FROM agent_event_logs WHERE thread_id = ?',
  )
  const removeLog = ({ number, runId }: { readonly number: number; readonly runId: string }) => {
    deleteRows.run(number)
    deleteLog.run(number)
    positions.forget(runId)
    changed.add(runId)
  }
  const trimFirstRows = (log: number, floor: number) => {
    const [number, lastSeq, lines] = firstRows.get(log) ?? [0, 0, '']
    const rows = splitRows(lastSeq, lines)
    const kept = rows.filter(([seq]) => seq >= floor)
    if (kept.length < rows.length) updateRows.run(kept.map(([, json]) => json).join('\n'), number)
  }
  const putHeader = (header: AgentEventHeader) => {
    const { runId, threadId, openedAt, finishedAt, details } = encodeHeader(header)
    upsert.run(runId, threadId, openedAt, finishedAt, details)
    changed.add(runId)
  }
  return {
    create(header) {
      const isFree = positions.of(header.runId) === undefined
      return () => {
        if (isFree) putHeader(header)
        return isFree
      }
    },
    header: (header) => () => putHeader(header),
    claim(runId, now) {
      const log = readLog.ofRun(runId)
      const isFree = log !== undefined && (log.claimedAt === null || now >= log.claimedAt + AGENT_EVENT_SWEEP_CLAIM_MS)
      return () => isFree && updateClaim.run(now, log.number).changes === 1
    },
    trim(runId, floor) {
      const log = readLog.ofRun(runId)
      checkAgentEventTrim(runId, floor, log?.lastSeq)
      return () => {
        if (floor <= log!.floor) return
        updateFloor.run(floor, log!.number)
        deleteBelow.run(log!.number, floor)
        trimFirstRows(log!.number, floor)
        changed.add(runId)
      }
    },
    remove(runId) {
      const log = readLog.ofRun(runId)
      return () => {
        if (log !== undefined) removeLog(log)
        return log !== undefined
      }
    },
    removeOfThread(threadId) {
      for (const log of ofThread.all(threadId)) removeLog(log)
    },
  }
}
