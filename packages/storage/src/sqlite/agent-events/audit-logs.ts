import { agentEventHeaderFault, maxAgentEventBytes, type RawLogRow } from '@daybook/core'
import { decodeState } from '../../agent-events/log-columns.ts'
import type { AuditReader, FoundLog } from '../../verify/audit-source.ts'
import type { Database } from '../driver.ts'
import { unmarked } from './marked-run-id.ts'
import type { LogRow, ReadLog } from './read-log.ts'

/** How verify reads delivery logs. */
export interface AuditLogs extends Pick<AuditReader, 'findLog' | 'logRows' | 'logsWithoutRun'> {
  /** What no log is asked for, in words. */
  readonly strays: () => readonly string[]
}

interface StoredRow {
  readonly seq: unknown
  /** Of what is stored; the run's id is marked in it. */
  readonly bytes: number
  /** Null where it is no text, or has more bytes than an event may have. */
  readonly json: string | null
  readonly writeId: string | null
}

const pageRows = 1000
const pageBytes = 4 * 1024 * 1024
/** Logs that are looked at in one go. */
const pageLogs = 1000

export function auditLogs(database: Database, readLog: ReadLog): AuditLogs {
  const rowsAfter = database.prepare<[string, number], StoredRow>(
    `SELECT e.seq, octet_length(e.event_json) AS bytes, e.write_id AS writeId,
      iif(typeof(e.event_json) = 'text' AND octet_length(e.event_json) <= ${maxAgentEventBytes}, e.event_json, NULL) AS json
    FROM agent_event_logs l CROSS JOIN agent_events e ON e.log = l.number
    WHERE l.run_id = ? AND e.seq > ? ORDER BY e.seq LIMIT ${pageRows + 1}`,
  )
  const [firstLogs, nextLogs] = (['>=', '>'] as const).map((follows) =>
    database.prepare<[string, number], { runId: string; isLone: number }>(
      `SELECT run_id AS runId, NOT EXISTS (SELECT 1 FROM agent_runs r WHERE r.run_id = known.run_id) AS isLone
      FROM agent_event_logs AS known WHERE run_id ${follows} ? AND run_id < x'' ORDER BY run_id LIMIT ?`,
    ),
  )
  const rowsWithoutLog = database
    .prepare<[], number>(
      `WITH RECURSIVE logs (number) AS (
        SELECT min(log) FROM agent_events
        UNION ALL
        SELECT (SELECT min(log) FROM agent_events WHERE log > known.number) FROM logs AS known WHERE number IS NOT NULL
      )
      SELECT count(*) FROM logs AS known
      WHERE number IS NOT NULL AND NOT EXISTS (SELECT 1 FROM agent_event_logs l WHERE l.number = known.number)`,
    )
    .pluck()
  const unnamedLogs = database
    .prepare<[], number>(`SELECT count(*) FROM agent_event_logs AS known WHERE run_id >= x''`)
    .pluck()
  return {
    findLog(runId) {
      const log = readLog.ofRun(runId)
      return log && decodeLog(log)
    },
    logRows(runId, after) {
      const rows: RawLogRow[] = []
      let bytes = 0
      for (const stored of rowsAfter.iterate(runId, after)) {
        if (rows.length === pageRows || bytes > pageBytes) return { rows, hasMore: true }
        const row = decodeRow(stored, runId)
        rows.push(row)
        if (row.json !== null) bytes += row.bytes
      }
      return { rows, hasMore: false }
    },
    logsWithoutRun(after) {
      const logs = (after === null ? firstLogs! : nextLogs!).all(after ?? '', pageLogs)
      const runIds = logs.flatMap(({ runId, isLone }) => (isLone === 1 ? [runId] : []))
      return { runIds, next: logs.length === pageLogs ? logs.at(-1)!.runId : null }
    },
    strays: () => [
      ...describe(rowsWithoutLog.get()!, 'delivery logs have rows, and nothing else'),
      ...describe(unnamedLogs.get()!, 'delivery logs have a run id that is no text'),
    ],
  }
}

function describe(count: number, what: string): string[] {
  return count === 0 ? [] : [`${count} ${what}`]
}

function decodeLog(log: LogRow): FoundLog {
  const { lastSeq, bytes, floor, truncated } = log
  const areNumbers = [lastSeq, bytes, floor, Number(truncated)].every((number) => Number.isSafeInteger(number))
  if (!areNumbers) return { damage: 'says with what is no number where it stands' }
  try {
    const state = decodeState(log)
    const fault = agentEventHeaderFault(state.header)
    return fault === undefined ? { state } : { damage: `has a header that is none: ${fault}` }
  } catch (error) {
    return { damage: `has a header that cannot be read: ${(error as Error).message}` }
  }
}

function decodeRow({ seq, bytes, json: stored, writeId }: StoredRow, runId: string): RawLogRow {
  // Bytes that are not UTF-8 were replaced.
  const isText = stored !== null && Buffer.byteLength(stored) === bytes
  const json = isText ? unmarked(stored, bytes, runId, maxAgentEventBytes) : undefined
  return {
    seq: typeof seq === 'number' ? seq : Number.NaN,
    bytes: json === undefined ? bytes : Buffer.byteLength(json),
    json: json ?? null,
    writeId,
  }
}
