import type { Page } from '@daybook/core'
import type { StoredRuntimeEvent } from '@daybook/core/canonical-runtime-event'
import type { Database } from '../driver.ts'
import { decodeEvent, eventColumns, type EventRow } from './event-row.ts'

/** Events of a run or a session from a position on, without it, at most `limit`. */
export type ReadEvents = (id: string, position: number, limit: number) => Page<StoredRuntimeEvent, number>

export function readSessionEvents(database: Database): ReadEvents {
  const select = database
    .prepare<[string, number, number], EventRow>(
      `SELECT ${eventColumns('e')} FROM runtime_events e
      WHERE e.session_id = ? AND e.session_seq > ? ORDER BY e.session_seq LIMIT ?`,
    )
    .raw()
  return (sessionId, after, limit) =>
    pageOf(select.all(sessionId, after, limit + 1), limit, ({ sessionSeq }) => sessionSeq)
}

/** From the newest on, before a position. */
export function readNewestSessionEvents(database: Database): ReadEvents {
  const select = database
    .prepare<[string, number, number], EventRow>(
      `SELECT ${eventColumns('e')} FROM runtime_events e
      WHERE e.session_id = ? AND e.session_seq < ? ORDER BY e.session_seq DESC LIMIT ?`,
    )
    .raw()
  return (sessionId, before, limit) =>
    pageOf(select.all(sessionId, before, limit + 1), limit, ({ sessionSeq }) => sessionSeq)
}

/** Of a run that only foreign rows tell of, which may share its id, an own run is preferred. */
export function readRunEvents(database: Database): ReadEvents {
  const select = database
    .prepare<[string, number, number], EventRow>(
      `SELECT ${eventColumns('e')} FROM runtime_events e
      WHERE e.invocation_id = (SELECT invocation_id FROM runtime_heads WHERE run_id = ? ORDER BY epoch DESC LIMIT 1)
        AND e.event_seq > ?
      ORDER BY e.event_seq LIMIT ?`,
    )
    .raw()
  return (runId, after, limit) => pageOf(select.all(runId, after, limit + 1), limit, ({ eventSeq }) => eventSeq)
}

/** `rows` holds one more than the page where something follows. */
function pageOf(
  rows: readonly EventRow[],
  limit: number,
  position: (event: StoredRuntimeEvent) => number,
): Page<StoredRuntimeEvent, number> {
  const items = rows.slice(0, limit).map(decodeEvent)
  return { items, next: rows.length > limit ? position(items.at(-1)!) : null, floor: 1 }
}
