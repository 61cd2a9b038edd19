import type { Config } from './config.ts'
import type { Store } from './database.ts'
import { addDays, now, today } from './calendar.ts'
import { RuleError } from './loans.ts'

export function reserve(store: Store, config: Config, input: { memberId: number; titleId: number; kind: string }) {
  if (input.kind === 'boardgame') throw new RuleError('Board games cannot be reserved.')
  const open = store.get("SELECT count(*) AS n FROM reservation WHERE member_id = ? AND state IN ('waiting', 'on_shelf')", input.memberId).n
  if (open >= config.reservations.maxOpenPerMember) throw new RuleError('The member has too many reservations.')
  store.run("INSERT INTO reservation (title_id, member_id, asked_at, state) VALUES (?, ?, ?, 'waiting')", input.titleId, input.memberId, now())
}

export function isReserved(store: Store, titleId: number): boolean {
  return store.get("SELECT 1 FROM reservation WHERE title_id = ? AND state = 'waiting'", titleId) !== undefined
}

/** Gives a returned item to the first in the queue; returns the member or null. */
export function putOnShelf(store: Store, config: Config, itemId: number, titleId: number): number | null {
  const first = store.get("SELECT * FROM reservation WHERE title_id = ? AND state = 'waiting' ORDER BY asked_at LIMIT 1", titleId)
  if (!first) return null
  const until = addDays(today(), config.reservations.holdDays)
  store.run("UPDATE reservation SET state = 'on_shelf', item_id = ?, shelf_until = ? WHERE id = ?", itemId, until, first.id)
  return first.member_id
}

/** Reservations that nobody collected; a member who lets three lapse in a year gets a call from the desk, not a fee. */
export function lapse(store: Store): number {
  return store.run("UPDATE reservation SET state = 'lapsed' WHERE state = 'on_shelf' AND shelf_until < ?", today()).changes
}
