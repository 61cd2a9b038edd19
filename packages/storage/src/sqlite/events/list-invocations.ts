import type { InvocationCursor, Page } from '@daybook/core'
import type { InvocationOpenedContent } from '@daybook/core/canonical-runtime-event'
import type { InvocationRecord } from '@daybook/core/runtime-invocation'
import type { Database } from '../driver.ts'
import { decodeEvent, eventColumnCount, eventColumns, type EventRow } from './event-row.ts'

/** Invocations of a session from the cursor on, without it; null: from the first, or newest, on. At most `limit`. */
export type ListInvocations = (
  sessionId: string,
  from: InvocationCursor | null,
  limit: number,
) => Page<InvocationRecord, InvocationCursor>

/** The columns of the opening, then those of the terminal event, which are null where there is none. */
type InvocationRow = readonly unknown[]

/** One statement: both the openings and the terminal of each come from a partial index, and nothing is sorted. */
function statement(order: 'oldest first' | 'newest first'): string {
  const [beyond, direction] = order === 'oldest first' ? ['>', 'ASC'] : ['<', 'DESC']
  return `
    SELECT ${eventColumns('o')}, ${eventColumns('t')}
    FROM runtime_events o
    LEFT JOIN runtime_events t ON t.rowid = (
      SELECT e.rowid FROM runtime_events e
      WHERE e.invocation_id = o.invocation_id AND e.terminal = 1 AND e.session_id = o.session_id
      ORDER BY e.event_seq LIMIT 1
    )
    WHERE o.session_id = ? AND o.opened_at IS NOT NULL AND (o.opened_at, o.invocation_id) ${beyond} (?, ?)
    ORDER BY o.opened_at ${direction}, o.invocation_id ${direction}
    LIMIT ?`
}

export function listInvocations(database: Database, order: 'oldest first' | 'newest first'): ListInvocations {
  const select = database.prepare<[string, number, string, number], InvocationRow>(statement(order)).raw()
  // No opened time is beyond the safe integers.
  const start = { openedAt: order === 'oldest first' ? -Infinity : Infinity, invocationId: '' }
  return (sessionId, from, limit) => {
    const { openedAt, invocationId } = from ?? start
    const rows = select.all(sessionId, openedAt, invocationId, limit + 1)
    const items = rows.slice(0, limit).map(decodeInvocation)
    const last = items.at(-1)
    const next = rows.length > limit && last ? { openedAt: last.openedAt, invocationId: last.invocationId } : null
    return { items, next, floor: 1 }
  }
}

function decodeInvocation(row: InvocationRow): InvocationRecord {
  const { event: opening } = decodeEvent(row.slice(0, eventColumnCount) as unknown as EventRow)
  const terminal = row.slice(eventColumnCount) as unknown as EventRow
  const { sessionId, invocationId, runId, turnId } = opening
  return {
    sessionId,
    invocationId,
    runId,
    turnId,
    openedAt: opening.ts,
    opening: opening.content as InvocationOpenedContent,
    ...(terminal[0] !== null && { terminalEvent: decodeEvent(terminal).event }),
  }
}
