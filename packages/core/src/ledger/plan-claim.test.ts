import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RunRecord } from '../ports/agent-run-store.ts'
import { planRunClaim, prepareRunClaim } from './plan-claim.ts'

const owner = { bootId: 'boot', pidNamespace: null, pid: 1, processStartedAt: '7' }
const run: RunRecord = {
  runId: 'run',
  invocationId: 'i',
  sessionId: 's',
  turnId: 't',
  source: { kind: 'fresh' },
  parentInvocationId: null,
  exclusive: true,
  inputDigest: '0'.repeat(64),
  openedAt: 1,
  finishedAt: null,
  state: 'running',
  owner,
  epoch: 3,
  leaseExpiresAt: 1000,
  stopRequest: { requestedAt: 5, by: 'user' },
}
const claim = prepareRunClaim({ runId: 'run', expectedEpoch: 3, owner: { ...owner, pid: 2 }, leaseMs: 50 })

describe('planRunClaim', () => {
  test('gives the run to the claimant, at the next epoch, under a lease of its own', () => {
    assert.deepEqual(planRunClaim(claim, run, false, 1000), {
      ...run,
      owner: claim.owner,
      epoch: 4,
      leaseExpiresAt: 1050,
    })
    const { leaseMs: _, ...forever } = { ...claim, ownerIsGone: true }
    assert.equal(planRunClaim(prepareRunClaim(forever), run, false, 1000).leaseExpiresAt, null)
  })

  test('keeps a living owner its run until the lease has expired, and without a lease for good', () => {
    const unleased = { ...run, leaseExpiresAt: null }
    for (const [kept, now] of [
      [run, 999],
      [unleased, Number.MAX_SAFE_INTEGER],
    ] as const) {
      assert.throws(() => planRunClaim(claim, kept, false, now), { code: 'RUN_OWNED' })
      assert.equal(planRunClaim({ ...claim, ownerIsGone: true }, kept, false, now).epoch, 4)
    }
  })

  test('refuses in the order in which it says so', () => {
    const stale = { ...claim, expectedEpoch: 2 }
    assert.throws(() => planRunClaim(stale, undefined, true, 0), { code: 'RUN_NOT_FOUND' })
    assert.throws(() => planRunClaim(stale, run, true, 0), { code: 'RUN_SEALED' })
    assert.throws(() => planRunClaim(stale, run, false, 0), { code: 'STALE_OWNER', currentEpoch: 3 })
    assert.throws(() => planRunClaim(claim, run, false, 0), { code: 'RUN_OWNED', owner, leaseExpiresAt: 1000 })
  })
})

describe('prepareRunClaim', () => {
  test('takes nothing but true for the death of an owner', () => {
    const claimed = prepareRunClaim({ runId: 'run', expectedEpoch: 3, owner, ownerIsGone: 'yes' as unknown as boolean })
    assert.equal(claimed.ownerIsGone, false)
  })
})
