import {
  type AgentEventHeader,
  type AgentEventRunCursor,
  type AgentEventStore,
  checkAgentEventRunQuery,
  compareCodePoints,
  type Page,
} from '@daybook/core'

/** See `AgentEventStore.listRuns`. */
export function listRuns(
  headers: Iterable<AgentEventHeader>,
  query: Parameters<AgentEventStore['listRuns']>[0],
): Page<AgentEventHeader, AgentEventRunCursor> {
  const { finished, until, after, limit } = checkAgentEventRunQuery(query)
  const found: AgentEventHeader[] = []
  for (const header of headers) {
    const cursor = runCursor(header)
    if ((header.finishedAt !== undefined) !== finished || timeOf(cursor) > until) continue
    if (after === undefined || compareCursors(cursor, after) > 0) found.push(header)
  }
  found.sort((a, b) => compareCursors(runCursor(a), runCursor(b)))
  const items = found.slice(0, limit)
  return { items, next: found.length > limit ? runCursor(items.at(-1)!) : null, floor: 1 }
}

function runCursor({ runId, openedAt, finishedAt }: AgentEventHeader): AgentEventRunCursor {
  return { at: finishedAt ?? openedAt ?? null, runId }
}

function compareCursors(a: AgentEventRunCursor, b: AgentEventRunCursor): number {
  const [timeA, timeB] = [timeOf(a), timeOf(b)]
  return timeA === timeB ? compareCodePoints(a.runId, b.runId) : timeA < timeB ? -1 : 1
}

function timeOf({ at }: AgentEventRunCursor): number {
  return at ?? -Infinity
}
