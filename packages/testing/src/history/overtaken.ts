import type { Interval } from './history-entry.ts'

/** For each item that began after one of a higher rank had ended: the highest such one, and the item. O(n log n). */
export function* overtaken<Item extends Interval>(
  items: readonly Item[],
  rankOf: (item: Item) => number,
): Generator<[earlier: Item, later: Item]> {
  const byEnd = items.toSorted((a, b) => a.endedAt - b.endedAt)
  let highest: Item | undefined
  let ended = 0
  for (const later of items.toSorted((a, b) => a.startedAt - b.startedAt)) {
    for (let item = byEnd[ended]; item !== undefined && item.endedAt < later.startedAt; item = byEnd[++ended]) {
      if (highest === undefined || rankOf(item) > rankOf(highest)) highest = item
    }
    if (highest !== undefined && rankOf(highest) > rankOf(later)) yield [highest, later]
  }
}
