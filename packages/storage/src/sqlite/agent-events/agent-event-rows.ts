import {
  type AgentEventHeader,
  type AgentEventRecord,
  type AgentEventRow,
  type AgentEventWriteRecords,
  type AgentEventPage,
  checkAgentEventWrites,
} from '@daybook/core'
import { decodeRow } from '../../agent-events/decode-row.ts'
import { decodeHeader, openingOf } from '../../agent-events/log-columns.ts'
import { pageOf } from '../../agent-events/page-of.ts'
import { rowsOfPage } from '../../agent-events/rows-of-page.ts'
import type { Decision } from '../decision.ts'
import type { Database } from '../driver.ts'
import type { ChangedRuns } from './changed-runs.ts'
import { joinRows, splitRows } from './joined-rows.ts'
import { markRunId, unmarkRunId } from './marked-run-id.ts'
import type { LogPositions } from './log-positions.ts'
import type { ReadLog } from './read-log.ts'
import type { WriteLog } from './write-log.ts'

/** See `AgentEventStore`. */
export interface AgentEventRows {
  readonly append: (runId: string, record: AgentEventRecord) => Decision<void>
  /** What a write to the ledger brings; nothing where that is undefined. */
  readonly write: (runId: string, writes: AgentEventWriteRecords | undefined) => Decision<void>
  readonly all: (runId: string) => { readonly header: AgentEventHeader; readonly rows: AgentEventRow[] } | undefined
  readonly page: (runId: string, after: number, limit: number) => AgentEventPage
  readonly writeId: (runId: string, seq: number) => string | undefined
}

export function agentEventRows(
  database: Database,
  readLog: ReadLog,
  positions: LogPositions,
  writeLog: WriteLog,
  changed: ChangedRuns,
): AgentEventRows {
  const insert = database.prepare('INSERT INTO agent_events (log, last_seq, write_id, lines) VALUES (?, ?, ?, ?)')
  const advance = database.prepare<[number, number, number, number]>(
    'UPDATE agent_event_logs SET last_seq = ?, bytes = bytes + ?, truncated = max(truncated, ?) WHERE number = ?',
  )
  // By itself: a statement that may set it writes the indexes that it stands in, whether or not it changes.
  const finish = database.prepare<[number, number]>(
    'UPDATE agent_event_logs SET finished_at = coalesce(finished_at, ?) WHERE number = ?',
  )
  const select = database
    .prepare<[string, number, number, number], [lastSeq: number, lines: string]>(
      `SELECT last_seq, ${unmarkRunId('lines', '?')} FROM agent_events
      WHERE log = ? AND last_seq > ? ORDER BY last_seq LIMIT ?`,
    )
    .raw()
  const selectWriteId = database
    .prepare<[number, number], [lastSeq: number, writeId: string | null, lines: string]>(
      'SELECT last_seq, write_id, CAST(lines AS TEXT) FROM agent_events WHERE log = ? AND last_seq >= ? ORDER BY last_seq LIMIT 1',
    )
    .raw()
  function insertRows(runId: string, log: number, rows: readonly AgentEventRecord[]): void {
    let [bytes, truncates, finishedAt] = [0, false, null as number | null]
    const marked = rows.map((row) => ({ ...row, json: markRunId(row.json, runId) }))
    for (const { lastSeq, writeId, lines } of joinRows(marked)) insert.run(log, lastSeq, writeId, lines)
    for (const row of rows) {
      bytes += row.bytes
      truncates ||= row.truncates
      finishedAt ??= row.finishedAt
    }
    const lastSeq = rows.at(-1)!.seq
    advance.run(lastSeq, bytes, Number(truncates), log)
    positions.set(runId, { number: log, lastSeq })
    if (finishedAt !== null) {
      finish.run(finishedAt, log)
      positions.forget(runId)
    }
    changed.add(runId)
  }

  function write(runId: string, writes: AgentEventWriteRecords): Decision<void> {
    const { header, rows } = writes
    const log = positions.of(runId)
    checkAgentEventWrites(runId, writes, log?.lastSeq)
    return () => {
      if (header !== undefined) writeLog.header(header)()
      if (rows.length > 0) insertRows(runId, (log ?? positions.of(runId))!.number, rows)
    }
  }

  function* rowsAfter(runId: string, log: number, after: number, limit: number): Iterable<readonly [number, string]> {
    for (const [lastSeq, lines] of select.iterate(runId, log, after, limit)) {
      for (const row of splitRows(lastSeq, lines)) if (row[0] > after) yield row
    }
  }

  // Another process may remove the log, and give its number to another one, between two statements.
  const atOneTime = <Result>(read: () => Result): Result => database.transaction(read)()

  return {
    append: (runId, record) => write(runId, { header: undefined, rows: [record] }),
    write: (runId, writes) => (writes === undefined ? () => {} : write(runId, writes)),
    all: (runId) =>
      atOneTime(() => {
        const log = readLog.ofRun(runId)
        if (log === undefined) return undefined
        const rows = rowsAfter(runId, log.number, 0, log.lastSeq)
        return { header: decodeHeader(log), rows: Array.from(rows, ([seq, json]) => decodeRow(runId, seq, json)) }
      }),
    page: (runId, after, limit) =>
      atOneTime(() => {
        const log = readLog.ofRun(runId)
        if (log === undefined) return { items: [], next: null, floor: 1 }
        const rows = rowsOfPage(rowsAfter(runId, log.number, after, limit), limit, ([, json]) => json)
        const items = rows.map(([seq, json]) => decodeRow(runId, seq, json))
        return pageOf(items, log, openingOf(log))
      }),
    writeId: (runId, seq) =>
      atOneTime(() => {
        const log = readLog.ofRun(runId)
        const [lastSeq, writeId, lines] = (log && selectWriteId.get(log.number, seq)) ?? [0, null, '']
        return splitRows(lastSeq, lines)[0]![0] === seq ? (writeId ?? undefined) : undefined
      }),
  }
}
