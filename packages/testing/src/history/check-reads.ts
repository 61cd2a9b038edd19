import { describeEvent, type FinalRow, keyOf } from './final-row.ts'
import type { ReadEntry } from './history-entry.ts'
import type { HistoryFault } from './history-fault.ts'

/** Each read gave what the session begins with in the end. */
export function* checkReads(reads: readonly ReadEntry[], rows: readonly FinalRow[]): Generator<HistoryFault> {
  const sessions = Map.groupBy(rows, (row) => row.sessionId)
  for (const [sessionId, ofSession] of Map.groupBy(reads, (read) => read.sessionId)) {
    const keys = (sessions.get(sessionId) ?? []).toSorted((a, b) => a.sessionSeq - b.sessionSeq).map(keyOf)
    for (const { events } of ofSession) {
      const index = events.findIndex((event, at) => keyOf(event) !== keys[at])
      const wrong = events[index]
      if (wrong === undefined) continue
      yield { code: 'not_a_prefix', message: `${describeEvent(wrong)}, read at ${index + 1} of session "${sessionId}"` }
    }
  }
}
