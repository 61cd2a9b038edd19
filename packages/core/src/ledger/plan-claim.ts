import { RunNotFoundError, RunOwnedError, RunSealedError, StaleOwnerError } from '../errors/index.ts'
import type { ClaimRunRequest, RunOwner, RunRecord } from '../ports/agent-run-store.ts'
import { checkLeaseMs, hasLeaseExpired, leaseEnd } from './lease.ts'
import { checkOwner } from './plan-run.ts'

/** A request to take over a run, checked. */
export interface RunClaim {
  readonly runId: string
  readonly expectedEpoch: number
  readonly owner: RunOwner
  readonly leaseMs: number | null
  readonly ownerIsGone: boolean
}

/** What of a claim can be refused without looking at a ledger. */
export function prepareRunClaim({ runId, expectedEpoch, owner, leaseMs, ownerIsGone }: ClaimRunRequest): RunClaim {
  return {
    runId,
    expectedEpoch,
    owner: checkOwner(owner),
    leaseMs: leaseMs === undefined ? null : checkLeaseMs(leaseMs),
    ownerIsGone: ownerIsGone === true,
  }
}

/**
 * Decides a claim at the time `now` of the store's clock: the run as its new owner has it. Throws, in this order,
 * `RunNotFoundError`, `RunSealedError`, `StaleOwnerError`, `RunOwnedError`.
 */
export function planRunClaim(claim: RunClaim, run: RunRecord | undefined, isSealed: boolean, now: number): RunRecord {
  const { runId, expectedEpoch, owner, leaseMs, ownerIsGone } = claim
  if (run === undefined) throw new RunNotFoundError(runId)
  if (isSealed) throw new RunSealedError(runId)
  if (run.epoch !== expectedEpoch) throw new StaleOwnerError(runId, expectedEpoch, run.epoch)
  if (!ownerIsGone && !hasLeaseExpired(run, now)) throw new RunOwnedError(runId, run.owner, run.leaseExpiresAt)
  return { ...run, owner, epoch: run.epoch + 1, leaseExpiresAt: leaseEnd(leaseMs, now) }
}
