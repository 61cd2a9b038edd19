import type { Config, MemberKind } from './config.ts'
import type { Store } from './database.ts'
import { daysBetween } from './calendar.ts'

const GRACE_DAYS = 3

/** The fee in pence for one item that came back late. */
export function overdueFee(config: Config, kind: MemberKind, due: string, returned: string): number {
  const late = daysBetween(due, returned)
  if (late <= GRACE_DAYS) return 0
  return Math.min(late * config.fees.perDay[kind], config.fees.capPerItem)
}

export function owedBy(store: Store, memberId: number): number {
  return store.get('SELECT coalesce(sum(amount - paid), 0) AS owed FROM fee WHERE member_id = ?', memberId).owed
}

export function formatPence(amount: number): string {
  return amount < 100 ? `${amount}p` : `£${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`
}
