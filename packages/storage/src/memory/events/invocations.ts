import type { InvocationCursor, Page } from '@daybook/core'
import type { InvocationOpenedContent } from '@daybook/core/canonical-runtime-event'
import { compareInvocations, type InvocationRecord } from '@daybook/core/runtime-invocation'
import { decodeRow } from './decode-row.ts'
import { type MemoryLedger, type MemoryRow, rowsOf } from '../ledger.ts'

/** Oldest first. */
export function listInvocations(ledger: MemoryLedger, sessionId: string): InvocationRecord[] {
  return openingsOf(ledger, sessionId).map((opening) => invocationOf(ledger, opening))
}

/** Newest first. */
export function pageInvocations(
  ledger: MemoryLedger,
  sessionId: string,
  before: InvocationCursor | undefined,
  limit: number,
): Page<InvocationRecord, InvocationCursor> {
  const openings = openingsOf(ledger, sessionId).reverse()
  const rest = before === undefined ? openings : openings.filter((opening) => compareInvocations(opening, before) < 0)
  const items = rest.slice(0, limit).map((opening) => invocationOf(ledger, opening))
  const last = items.at(-1)
  const next = rest.length > limit && last ? { openedAt: last.openedAt, invocationId: last.invocationId } : null
  return { items, next, floor: 1 }
}

/** An opening as its columns tell it: nothing is decoded but what is given out. */
interface Opening extends InvocationCursor {
  readonly row: MemoryRow
}

function openingsOf(ledger: MemoryLedger, sessionId: string): Opening[] {
  return rowsOf(ledger, sessionId)
    .flatMap((row) => (row.openedAt === null ? [] : [{ openedAt: row.openedAt, invocationId: row.invocationId, row }]))
    .sort(compareInvocations)
}

function invocationOf(ledger: MemoryLedger, { row, invocationId }: Opening): InvocationRecord {
  const { event } = decodeRow(row)
  const { sessionId, runId, turnId, ts: openedAt } = event
  const rows = ledger.invocations.get(invocationId)?.rows ?? []
  const terminal = rows.find((one) => one.terminal && one.sessionId === sessionId)
  const opening = event.content as InvocationOpenedContent
  return {
    sessionId,
    invocationId,
    runId,
    turnId,
    openedAt,
    opening,
    ...(terminal && { terminalEvent: decodeRow(terminal).event }),
  }
}
