import type { AgentEventHeader, AgentEventRunCursor } from '@daybook/core'

/** Where a run stands in the listing of those that are finished, or of those that are not. */
export function runCursor({ runId, openedAt, finishedAt }: AgentEventHeader): AgentEventRunCursor {
  return { at: finishedAt ?? openedAt ?? null, runId }
}
