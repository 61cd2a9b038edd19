import {
  type AgentRunStore,
  checkOwner,
  checkRunOpening,
  emptyHead,
  planAppend,
  prepareRunOpening,
  RunNotFoundError,
  RunSealedError,
  StaleOwnerError,
  type StorageIdentity,
} from '@daybook/core'
import { sha256 } from '../../sha256.ts'
import { createGate } from '../gate.ts'
import { activeRunOf, type MemoryLedger, runsOf, sessionHead, sessionOf, writePlan } from '../ledger.ts'

export function memoryRunStore(ledger: MemoryLedger, storage: StorageIdentity): AgentRunStore {
  const gate = createGate()
  return {
    storage,
    async openRun(request) {
      gate.check()
      const { run, events } = prepareRunOpening(request)
      checkRunOpening(run, {
        sessionExists: (sessionId) => ledger.sessions.get(sessionId)?.record !== undefined,
        findFreshRun: (sessionId, turnId) =>
          runsOf(ledger, sessionId).find((other) => other.turnId === turnId && other.source.kind === 'fresh'),
        runExists: (runId) => ledger.runs.has(runId),
        invocationExists: (invocationId) => ledger.heads.has(invocationId),
        findActiveRun: (sessionId) => activeRunOf(ledger, sessionId),
      })
      const empty = { findRow: () => undefined, digestsAfter: () => [] }
      const state = { head: emptyHead(run, run.epoch), sessionHead: sessionHead(ledger, run.sessionId), ...empty }
      const plan = planAppend(sha256, state, run.epoch, events)
      ledger.runs.set(run.runId, run)
      sessionOf(ledger, run.sessionId).runIds.push(run.runId)
      writePlan(ledger, plan)
      return structuredClone(run)
    },
    async readRun(runId) {
      gate.check()
      return structuredClone(ledger.runs.get(runId))
    },
    async readActiveRun(sessionId) {
      gate.check()
      return structuredClone(activeRunOf(ledger, sessionId))
    },
    async claimRun({ runId, expectedEpoch, owner }) {
      gate.check()
      const claimant = checkOwner(owner)
      const run = ledger.runs.get(runId)
      const head = ledger.heads.get(run?.invocationId ?? '')
      if (run === undefined || head === undefined) throw new RunNotFoundError(runId)
      if (head.terminalSeq !== null) throw new RunSealedError(runId)
      if (run.epoch !== expectedEpoch) throw new StaleOwnerError(runId, expectedEpoch, run.epoch)
      const epoch = run.epoch + 1
      const claimed = { ...run, owner: claimant, epoch }
      ledger.runs.set(runId, claimed)
      ledger.heads.set(run.invocationId, { ...head, epoch })
      return structuredClone(claimed)
    },
    close: gate.close,
  }
}
