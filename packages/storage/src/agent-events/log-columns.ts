import type { AgentEventHeader, AgentEventRunCursor, AgentEventState } from '@daybook/core'

/** What a database keeps of a log, save for its rows. What nothing is looked up by is JSON text. */
export interface LogColumns {
  readonly runId: string
  readonly threadId: string
  /** `noTime` where nobody said when: a row of an index has a place, and null has none. */
  readonly openedAt: number
  readonly finishedAt: number | null
  readonly details: string
}

export interface StateColumns extends LogColumns {
  readonly lastSeq: number
  readonly bytes: number
  readonly floor: number
  readonly truncated: number | boolean
}

/** Comes before every time, and is none. */
export const noTime: number = Number.MIN_SAFE_INTEGER - 1

export function encodeHeader(header: AgentEventHeader): LogColumns {
  const { runId, threadId, openedAt = noTime, finishedAt = null, ...details } = header
  return { runId, threadId, openedAt, finishedAt, details: JSON.stringify(details) }
}

export function decodeHeader({ runId, threadId, openedAt, finishedAt, details }: LogColumns): AgentEventHeader {
  return {
    runId,
    threadId,
    ...JSON.parse(details),
    ...(openedAt !== noTime && { openedAt }),
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
