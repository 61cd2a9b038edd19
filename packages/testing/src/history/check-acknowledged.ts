import { describeEvent, type FinalRow, keyOf } from './final-row.ts'
import type { AppendEntry } from './history-entry.ts'
import type { HistoryFault } from './history-fault.ts'

/** Each event that was acknowledged is there, where it was said to be, and only one request was told that it is new. */
export function* checkAcknowledged(
  appends: readonly AppendEntry[],
  rows: ReadonlyMap<string, FinalRow>,
): Generator<HistoryFault> {
  const isNew = new Set<string>()
  for (const { invocationId, events } of appends) {
    for (const { eventId, eventSeq, sessionSeq, duplicate } of events) {
      const event = { invocationId, eventId }
      const key = keyOf(event)
      const row = rows.get(key)
      if (row === undefined) {
        yield { code: 'missing', message: `${describeEvent(event)}, acknowledged at ${eventSeq}` }
      } else if (row.eventSeq !== eventSeq || row.sessionSeq !== (sessionSeq ?? row.sessionSeq)) {
        const found = `found at ${row.eventSeq} and ${row.sessionSeq}`
        const message = `${describeEvent(event)}, acknowledged at ${eventSeq} and ${sessionSeq}, ${found}`
        yield { code: 'seq_differs', message }
      }
      if (duplicate) continue
      if (isNew.has(key)) yield { code: 'acknowledged_twice', message: describeEvent(event) }
      isNew.add(key)
    }
  }
}
