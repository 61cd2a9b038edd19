import { checkAcknowledged } from './check-acknowledged.ts'
import { checkOrder } from './check-order.ts'
import { checkOwners } from './check-owners.ts'
import { checkReads } from './check-reads.ts'
import { checkRows } from './check-rows.ts'
import { type FinalRow, keyOf } from './final-row.ts'
import type { HistoryEntry } from './history-entry.ts'
import type { HistoryFault } from './history-fault.ts'

/**
 * Checks what any number of processes were told while they worked on one storage against what is in it in the end; empty
 * where every promise was kept. Events that no one was told of may be in the ledger: who wrote them was killed before.
 * O(n log n) in the events of the history and of the ledger.
 */
export function checkHistory(history: readonly HistoryEntry[], rows: readonly FinalRow[]): HistoryFault[] {
  const appends = history.filter((entry) => entry.kind === 'append')
  const claims = history.filter((entry) => entry.kind === 'claim')
  const reads = history.filter((entry) => entry.kind === 'read')
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  return [
    ...checkRows(rows),
    ...checkAcknowledged(appends, byKey),
    ...checkOwners(appends, claims),
    ...checkReads(reads, rows),
    ...checkOrder(appends, reads, byKey),
  ]
}
