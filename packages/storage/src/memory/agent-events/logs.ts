import type { AgentEventHeader, AgentEventRecord, AgentEventRow } from '@daybook/core'
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
