import type { AgentEventHeader, AgentEventRunCursor, Page } from '@daybook/core'
import { type LogColumns, noTime, readHeader } from './log-columns.ts'

/**
 * The page of a listing for which one log more than the limit was looked for. One whose header cannot be read is left out:
 * it keeps nobody from the others, and who reads it is told.
 */
export function runsPage(found: readonly LogColumns[], limit: number): Page<AgentEventHeader, AgentEventRunCursor> {
  const logs = found.slice(0, limit)
  const items = logs.flatMap((log) => readHeader(log).header ?? [])
  return { items, next: found.length > limit ? cursorOf(logs.at(-1)!) : null, floor: 1 }
}

function cursorOf({ runId, openedAt, finishedAt }: LogColumns): AgentEventRunCursor {
  return { at: finishedAt ?? (openedAt === noTime ? null : openedAt), runId }
}
