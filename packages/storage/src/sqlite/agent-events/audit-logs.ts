import { maxAgentEventBytes, type RawLogRow } from '@daybook/core'
import { readHeader, stateOf } from '../../agent-events/log-columns.ts'
import type { AuditReader, FoundLog } from '../../verify/audit-source.ts'
import type { Database } from '../driver.ts'
import { splitRows } from './joined-rows.ts'
import { unmarked } from './marked-run-id.ts'
import type { LogRow, ReadLog } from './read-log.ts'

/** How verify reads delivery logs. */
export interface AuditLogs extends Pick<AuditReader, 'findLog' | 'logRows' | 'logsWithoutRun'> {
  /** What no log is asked for, in words. */
  readonly strays: () => readonly string[]
}

/** The bytes are those that are stored, and `lines`, in which the run's id is marked, is null where it can be no events. */
type StoredRows = readonly [lastSeq: unknown, bytes: number, writeId: string | null, lines: string | null]

/** A row of the table may have 4 MiB. */
const pageRows = 64
/** Logs that are looked at in one go. */
const pageLogs = 1000

export function auditLogs(database: Database, readLog: ReadLog): AuditLogs {
  const rowsAfter = database
    .prepare<[string, number], StoredRows>(
      `SELECT e.last_seq, octet_length(e.lines), e.write_id,
        iif(typeof(e.lines) = 'text' AND octet_length(e.lines) <= ${maxAgentEventBytes}, e.lines, NULL)
      FROM agent_event_logs l CROSS JOIN agent_events e ON e.log = l.number
      WHERE l.run_id = ? AND e.last_seq > ? ORDER BY e.last_seq LIMIT ${pageRows}`,
    )
    .raw()
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
      const id = { text: runId, bytes: Buffer.byteLength(runId) }
      const stored = rowsAfter.all(runId, after)
      return { rows: stored.flatMap((one) => decodeRows(one, id)), hasMore: stored.length === pageRows }
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
  const { lastSeq, bytes, floor, truncated, claimedAt } = log
  const numbers = [lastSeq, bytes, floor, Number(truncated), claimedAt ?? 0]
  if (!numbers.every((number) => Number.isSafeInteger(number)))
    return { damage: 'says with what is no number where it stands, or when it was claimed' }
  const { header, fault } = readHeader(log)
  return header === undefined ? { damage: fault } : { state: stateOf(header, log) }
}

function decodeRows(
  [lastSeq, bytes, writeId, lines]: StoredRows,
  runId: { readonly text: string; readonly bytes: number },
): RawLogRow[] {
  const seq = typeof lastSeq === 'number' ? lastSeq : Number.NaN
  // Bytes that are not UTF-8 were replaced.
  if (lines === null || Buffer.byteLength(lines) !== bytes) return [{ seq, writeId, json: null, bytes }]
  return splitRows(seq, lines).map(([seq, json], index) => {
    const marked = { json, bytes: Buffer.byteLength(json) }
    const whole = unmarked(marked, runId, maxAgentEventBytes) ?? { json: null, bytes: marked.bytes }
    return { seq, writeId: index === 0 ? writeId : null, ...whole }
  })
}
