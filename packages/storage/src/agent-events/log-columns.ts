import type { AgentEventHeader, AgentEventRunCursor, AgentEventState } from '@daybook/core'

/** What a database keeps of a log, save for its rows. What nothing is looked up by is JSON text. */
export interface LogColumns {
  readonly runId: string
  readonly threadId: string
  readonly openedAt: number | null
  readonly finishedAt: number | null
  readonly details: string
}

export interface StateColumns extends LogColumns {
  readonly lastSeq: number
  readonly bytes: number
  readonly floor: number
  readonly truncated: number | boolean
}

/** Stands in an index for the time of a run that has none: the least that a time can be. */
const noTime = Number.MIN_SAFE_INTEGER

export function encodeHeader(header: AgentEventHeader): LogColumns {
  const { runId, threadId, openedAt = null, finishedAt = null, ...details } = header
  return { runId, threadId, openedAt, finishedAt, details: JSON.stringify(details) }
}

export function decodeHeader({ runId, threadId, openedAt, finishedAt, details }: LogColumns): AgentEventHeader {
  return {
    runId,
    threadId,
    ...JSON.parse(details),
    ...(openedAt !== null && { openedAt }),
    ...(finishedAt !== null && { finishedAt }),
  }
}

export function decodeState(columns: StateColumns): AgentEventState {
  const { lastSeq, bytes, floor, truncated } = columns
  return { header: decodeHeader(columns), lastSeq, bytes, floor, truncated: Boolean(truncated) }
}

/** The position in the index; before all where there is no cursor. */
export function indexPosition(after: AgentEventRunCursor | undefined): readonly [time: number, runId: string] {
  return [after?.at ?? noTime, after?.runId ?? '']
}
