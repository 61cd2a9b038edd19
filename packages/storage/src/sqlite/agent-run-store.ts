import {
  type AgentRunStore,
  checkId,
  checkLeaseMs,
  checkPageLimit,
  checkUnfinishedRunCursor,
  planRunClaim,
  prepareRunClaim,
  prepareRunOpening,
} from '@daybook/core'
import type { Lease } from './lease.ts'

export function sqliteAgentRunStore(lease: Lease): AgentRunStore {
  return {
    storage: lease.identity,
    async openRun(request) {
      const opening = prepareRunOpening(request)
      return lease.write(({ openRun }) => openRun(opening, lease.now()))
    },
    async readRun(runId) {
      return lease.read(({ readRun }) => readRun.byId(runId))
    },
    async readRunOfInvocation(invocationId) {
      return lease.read(({ readRun }) => readRun.ofInvocation(invocationId))
    },
    async readActiveRun(sessionId) {
      return lease.read(({ readRun }) => readRun.active(sessionId))
    },
    async readNewestRun(sessionId) {
      return lease.read(({ readRun }) => readRun.newest(sessionId))
    },
    async listTurnRuns(sessionId, turnId) {
      return lease.read(({ readRun }) => readRun.ofTurn(sessionId, turnId))
    },
    async claimRun(request) {
      const claim = prepareRunClaim(request)
      // Who asks until a lease has expired need not take the write lock each time. Other claims keep their place among
      // the writes that were asked for with them.
      if (!claim.ownerIsGone) {
        await lease.read(({ readRun }) => {
          const run = readRun.byId(claim.runId)
          planRunClaim(claim, run, run?.finishedAt != null, lease.now())
        })
      }
      return lease.write(({ claimRun }) => claimRun(claim, lease.now()))
    },
    async renewLeases(request) {
      const leaseMs = checkLeaseMs(request.leaseMs)
      const runs = request.runs.map(({ runId, epoch }) => ({ runId, epoch }))
      return lease.write(({ renewLeases }) => renewLeases(runs, leaseMs, lease.now()))
    },
    async requestStop(request) {
      const { runId, by } = request
      checkId('by', by)
      return lease.write(({ stopRequests }) => stopRequests.write(runId, { requestedAt: lease.now(), by }))
    },
    async listStopRequests(owner) {
      return lease.read(({ stopRequests }) => stopRequests.ofOwner(owner))
    },
    async listUnfinishedRuns({ after, limit } = {}) {
      const [cursor, pageLimit] = [checkUnfinishedRunCursor(after), checkPageLimit(limit)]
      const from = cursor ?? { sessionId: '', runId: '' }
      return lease.read(({ listUnfinishedRuns }) => listUnfinishedRuns(from, pageLimit, lease.now()))
    },
    close: lease.close,
  }
}
