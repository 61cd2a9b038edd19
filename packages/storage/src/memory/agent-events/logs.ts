import {
  type AgentEventHeader,
  type AgentEventRecord,
  type AgentEventRow,
  type AgentEventWriteRecords,
  checkAgentEventWrites,
} from '@daybook/core'
import { replaceHeader } from '../../agent-events/replace-header.ts'
import { createWatchers, type Watchers } from '../../agent-events/watchers.ts'

/** The delivery logs of a storage, by run id. */
export interface MemoryAgentEventLogs {
  readonly runs: Map<string, MemoryAgentEventLog>
  readonly watchers: Watchers
}

export interface MemoryAgentEventLog {
  header: AgentEventHeader
  /** From `floor` on. Events are text, so that nothing outside can change them. */
  rows: AgentEventRecord[]
  lastSeq: number
  bytes: number
  floor: number
  truncated: boolean
  claimedAt: number | null
}

export function createMemoryAgentEventLogs(): MemoryAgentEventLogs {
  return { runs: new Map(), watchers: createWatchers() }
}

/** Checks what a write brings for the run's log, and gives what writes it. */
export function prepareLogWrites(
  { runs, watchers }: MemoryAgentEventLogs,
  runId: string,
  writes: AgentEventWriteRecords | undefined,
): () => void {
  if (writes === undefined) return () => {}
  checkAgentEventWrites(runId, writes, runs.get(runId)?.lastSeq)
  return () => {
    if (writes.header !== undefined) putHeader(runs, writes.header)
    for (const row of writes.rows) addRow(runs.get(runId)!, row)
    watchers.tell(runId)
  }
}

export function putHeader(runs: MemoryAgentEventLogs['runs'], header: AgentEventHeader): void {
  const log = runs.get(header.runId)
  if (log !== undefined) log.header = replaceHeader(header, log.header)
  else {
    const empty = { rows: [], lastSeq: 0, bytes: 0, floor: 1, truncated: false, claimedAt: null }
    runs.set(header.runId, { header, ...empty })
  }
}

function addRow(log: MemoryAgentEventLog, row: AgentEventRecord): void {
  log.rows.push(row)
  log.lastSeq = row.seq
  log.bytes += row.bytes
  log.truncated ||= row.truncates
  if (row.finishedAt !== null) log.header = { finishedAt: row.finishedAt, ...log.header }
}

export function decodeRow({ seq, json }: AgentEventRecord): AgentEventRow {
  return { seq, event: JSON.parse(json) }
}

export function removeLogsOfThread({ runs, watchers }: MemoryAgentEventLogs, threadId: string): void {
  for (const [runId, { header }] of runs) {
    if (header.threadId !== threadId) continue
    runs.delete(runId)
    watchers.tell(runId)
  }
}
