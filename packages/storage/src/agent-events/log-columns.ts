import {
  type AgentEventHeader,
  agentEventHeaderFault,
  type AgentEventRunCursor,
  type AgentEventState,
  LedgerDamagedError,
} from '@daybook/core'

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

/** When the log was opened, where somebody said so. */
export function openingOf({ openedAt }: Pick<LogColumns, 'openedAt'>): Pick<AgentEventHeader, 'openedAt'> {
  return openedAt === noTime ? {} : { openedAt }
}

/** Throws `LedgerDamagedError`. */
export function decodeHeader(columns: LogColumns): AgentEventHeader {
  const { header, fault } = readHeader(columns)
  if (header !== undefined) return header
  throw new LedgerDamagedError(columns.threadId, `the delivery log of run "${columns.runId}"`, fault)
}

/** The header, or why it cannot be read. */
export function readHeader({
  runId,
  threadId,
  openedAt,
  finishedAt,
  details,
}: LogColumns):
  | { readonly header: AgentEventHeader; readonly fault?: undefined }
  | { readonly header?: undefined; readonly fault: string } {
  try {
    const header: AgentEventHeader = {
      runId,
      threadId,
      ...JSON.parse(details),
      ...openingOf({ openedAt }),
      ...(finishedAt !== null && { finishedAt }),
    }
    const fault = agentEventHeaderFault(header)
    return fault === undefined ? { header } : { fault: `has a header that is none: ${fault}` }
  } catch (error) {
    return { fault: `has a header that cannot be read: ${(error as Error).message}` }
  }
}

/** Throws `LedgerDamagedError`. */
export function decodeState(columns: StateColumns): AgentEventState {
  return stateOf(decodeHeader(columns), columns)
}

export function stateOf(header: AgentEventHeader, { lastSeq, bytes, floor, truncated }: StateColumns): AgentEventState {
  return { header, lastSeq, bytes, floor, truncated: Boolean(truncated) }
}

/** The position in the index; before all where there is no cursor. */
export function indexPosition(after: AgentEventRunCursor | undefined): readonly [time: number, runId: string] {
  return [after?.at ?? noTime, after?.runId ?? '']
}
