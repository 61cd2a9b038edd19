import { describeEvent, type FinalRow, keyOf } from './final-row.ts'
import type { AppendEntry, EventKey, Interval, ReadEntry } from './history-entry.ts'
import type { HistoryFault } from './history-fault.ts'
import { overtaken } from './overtaken.ts'

/** An event that was acknowledged, or the end of a read, with its place in the session. */
interface Told extends Interval {
  readonly sessionId: string
  readonly place: number
  readonly event?: EventKey
}

/** What was told first stands first, and each read goes on to where the session then ended. */
export function* checkOrder(
  appends: readonly AppendEntry[],
  reads: readonly ReadEntry[],
  rows: ReadonlyMap<string, FinalRow>,
): Generator<HistoryFault> {
  const told = [...appends.flatMap((append) => placesOf(append, rows)), ...reads.map(endOf)]
  for (const [sessionId, inSession] of Map.groupBy(told, (one) => one.sessionId)) {
    for (const [earlier, later] of overtaken(inSession, ({ place }) => place)) {
      const code = later.event === undefined ? 'stale_read' : 'real_time_order'
      yield { code, message: `${describe(later)} of session "${sessionId}", after ${describe(earlier)}` }
    }
  }
}

function placesOf(
  { sessionId, invocationId, startedAt, endedAt, events }: AppendEntry,
  rows: ReadonlyMap<string, FinalRow>,
): Told[] {
  return events.flatMap(({ eventId, duplicate }) => {
    const row = rows.get(keyOf({ invocationId, eventId }))
    if (row === undefined) return []
    // A duplicate was stored at some time before its own request.
    return { sessionId, place: row.sessionSeq, event: row, startedAt: duplicate ? -Infinity : startedAt, endedAt }
  })
}

function endOf({ sessionId, startedAt, endedAt, events }: ReadEntry): Told {
  return { sessionId, place: events.length, startedAt, endedAt }
}

function describe({ event, place }: Told): string {
  return `${event === undefined ? 'the end of a read' : describeEvent(event)} at ${place}`
}
