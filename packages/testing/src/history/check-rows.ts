import { describeEvent, type FinalRow, keyOf } from './final-row.ts'
import type { HistoryFault } from './history-fault.ts'

/** What the rows of a ledger tell by themselves. */
export function* checkRows(rows: readonly FinalRow[]): Generator<HistoryFault> {
  for (const [sessionId, inSession] of Map.groupBy(rows, (row) => row.sessionId)) {
    const gap = firstGap(inSession.map((row) => row.sessionSeq))
    if (gap !== undefined) yield { code: 'session_seq_gap', message: `session "${sessionId}" at ${gap}` }
  }
  for (const [invocationId, inInvocation] of Map.groupBy(rows, (row) => row.invocationId)) {
    const gap = firstGap(inInvocation.map((row) => row.eventSeq))
    if (gap !== undefined) yield { code: 'seq_gap', message: `invocation "${invocationId}" at ${gap}` }
    yield* checkSeal(inInvocation)
  }
  const keys = new Set<string>()
  for (const row of rows) {
    const key = keyOf(row)
    if (keys.has(key)) yield { code: 'duplicated', message: describeEvent(row) }
    keys.add(key)
  }
}

/** The first of 1, 2, 3 and so on that is missing or is there twice. */
function firstGap(seqs: readonly number[]): number | undefined {
  const index = seqs.toSorted((a, b) => a - b).findIndex((seq, before) => seq !== before + 1)
  return index === -1 ? undefined : index + 1
}

function* checkSeal(rows: readonly FinalRow[]): Generator<HistoryFault> {
  let terminal: FinalRow | undefined
  for (const row of rows.toSorted((a, b) => a.eventSeq - b.eventSeq)) {
    if (terminal !== undefined) {
      const code = row.terminal ? 'terminal_repeated' : 'not_sealed'
      yield { code, message: `${describeEvent(row)} at ${row.eventSeq}, after the terminal at ${terminal.eventSeq}` }
    } else if (row.terminal) {
      terminal = row
    }
  }
}
