import { describeEvent, type FinalRow, keyOf } from './final-row.ts'
import type { AppendEntry, Interval, ReadEntry } from './history-entry.ts'
import type { HistoryFault } from './history-fault.ts'
import { overtaken } from './overtaken.ts'

/** An event, or what a read gave, by the place in its session up to which it tells. */
interface Told extends Interval {
  readonly place: number
  readonly sessionId: string
  readonly what: string
  readonly fault: HistoryFault['code']
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
      const message = `${later.what} at ${later.place} of session "${sessionId}", after ${earlier.what} at ${earlier.place}`
      yield { code: later.fault, message }
    }
  }
}

function placesOf(
  { sessionId, invocationId, startedAt, endedAt, events }: AppendEntry,
  rows: ReadonlyMap<string, FinalRow>,
): Told[] {
  return events.flatMap(({ eventId, duplicate }) => {
    const event = { invocationId, eventId }
    const row = rows.get(keyOf(event))
    if (row === undefined) return []
    // A duplicate was stored at some time before its own request.
    const interval = { startedAt: duplicate ? -Infinity : startedAt, endedAt }
    return { ...interval, sessionId, place: row.sessionSeq, what: describeEvent(event), fault: 'real_time_order' }
  })
}

function endOf({ sessionId, startedAt, endedAt, events }: ReadEntry): Told {
  return { startedAt, endedAt, sessionId, place: events.length, what: 'the end of a read', fault: 'stale_read' }
}
