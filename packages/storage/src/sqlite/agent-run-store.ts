import { type AgentRunStore, checkOwner, prepareRunOpening } from '@daybook/core'
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
    async readActiveRun(sessionId) {
      return lease.read(({ readRun }) => readRun.active(sessionId))
    },
    async claimRun({ runId, expectedEpoch, owner }) {
      const claimant = checkOwner(owner)
      return lease.write(({ claimRun }) => claimRun(runId, expectedEpoch, claimant))
    },
    close: lease.close,
  }
}
