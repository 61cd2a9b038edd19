import { InvalidInputError } from '../errors/index.ts'
import type { RunRecord } from '../ports/agent-run-store.ts'

const maxLeaseMs = 365 * 24 * 3_600_000

/** Whether anybody may claim the run at the time `now` of the store's clock. One without a lease never is. */
export function hasLeaseExpired({ leaseExpiresAt }: Pick<RunRecord, 'leaseExpiresAt'>, now: number): boolean {
  return leaseExpiresAt !== null && leaseExpiresAt <= now
}

/** When a lease that begins at `now` expires. */
export function leaseEnd(leaseMs: number | null, now: number): number | null {
  return leaseMs === null ? null : now + leaseMs
}

/** Throws `InvalidInputError` unless it is from 1 ms to a year. */
export function checkLeaseMs(leaseMs: number): number {
  if (Number.isSafeInteger(leaseMs) && leaseMs >= 1 && leaseMs <= maxLeaseMs) return leaseMs
  throw new InvalidInputError('leaseMs', `must be an integer from 1 to ${maxLeaseMs}, not ${String(leaseMs)}`)
}
