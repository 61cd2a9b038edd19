import {
  type AgentRunStore,
  checkId,
  checkLeaseMs,
  checkOwner,
  checkPageLimit,
  checkRequests,
  checkRunOpening,
  checkUnfinishedRunCursor,
  compareCodePoints,
  emptyHead,
  hasLeaseExpired,
  leaseEnd,
  planAppend,
  planRunClaim,
  prepareRunClaim,
  prepareRunOpening,
  RunNotFoundError,
  type StorageIdentity,
  type UnfinishedRunCursor,
} from '@daybook/core'
import { sha256 } from '../../sha256.ts'
import { prepareLogWrites } from '../agent-events/logs.ts'
import { createGate } from '../gate.ts'
import { findRequest } from '../events/requests.ts'
import {
  activeRunOf,
  type MemoryLedger,
  newestRunOf,
  runsOf,
  sessionHead,
  sessionOf,
  unfinishedRuns,
  unfinishedRunsOf,
  writePlan,
} from '../ledger.ts'

export function memoryRunStore(ledger: MemoryLedger, storage: StorageIdentity): AgentRunStore {
  const gate = createGate()
  return {
    storage,
    async openRun(request) {
      gate.check()
      const { run: opened, leaseMs, events, agentEvents } = prepareRunOpening(request)
      const openedAt = ledger.now()
      const run = { ...opened, leaseExpiresAt: leaseEnd(leaseMs, openedAt) }
      checkRunOpening(run, {
        sessionExists: (sessionId) => ledger.sessions.get(sessionId)?.record !== undefined,
        findFreshRun: (sessionId, turnId) =>
          runsOf(ledger, sessionId).find((other) => other.turnId === turnId && other.source.kind === 'fresh'),
        runExists: (runId) => ledger.runs.has(runId),
        invocationExists: (invocationId) => ledger.heads.has(invocationId),
        findActiveRun: (sessionId) => activeRunOf(ledger, sessionId),
        findNewestRun: (sessionId) => newestRunOf(ledger, sessionId),
      })
      const empty = { findRow: () => undefined, digestsAfter: () => [] }
      const state = { head: emptyHead(run, run.epoch), sessionHead: sessionHead(ledger, run.sessionId), ...empty }
      const plan = planAppend(sha256, state, run.epoch, events)
      checkRequests(plan.rows, (requestId) => findRequest(ledger, run.sessionId, requestId), openedAt)
      const writeLog = prepareLogWrites(ledger.agentEvents, run.runId, agentEvents)
      ledger.runs.set(run.runId, run)
      ledger.unfinished.add(run.runId)
      sessionOf(ledger, run.sessionId).runIds.push(run.runId)
      writePlan(ledger, plan, openedAt)
      writeLog()
      return structuredClone(ledger.runs.get(run.runId)!)
    },
    async readRun(runId) {
      gate.check()
      return structuredClone(ledger.runs.get(runId))
    },
    async readRunOfInvocation(invocationId) {
      gate.check()
      const run = ledger.runs.get(ledger.heads.get(invocationId)?.runId ?? '')
      return run?.invocationId === invocationId ? structuredClone(run) : undefined
    },
    async readActiveRun(sessionId) {
      gate.check()
      return structuredClone(activeRunOf(ledger, sessionId))
    },
    async readNewestRun(sessionId) {
      gate.check()
      return structuredClone(newestRunOf(ledger, sessionId))
    },
    async listTurnRuns(sessionId, turnId) {
      gate.check()
      return structuredClone(runsOf(ledger, sessionId).filter((run) => run.exclusive && run.turnId === turnId))
    },
    async claimRun(request) {
      gate.check()
      const claim = prepareRunClaim(request)
      const run = ledger.runs.get(claim.runId)
      const head = ledger.heads.get(run?.invocationId ?? '')
      const claimed = planRunClaim(claim, head && run, head?.terminalSeq != null, ledger.now())
      ledger.runs.set(claimed.runId, claimed)
      ledger.heads.set(claimed.invocationId, { ...head!, epoch: claimed.epoch })
      return structuredClone(claimed)
    },
    async renewLeases({ runs, leaseMs }) {
      gate.check()
      const leaseExpiresAt = leaseEnd(checkLeaseMs(leaseMs), ledger.now())
      const owned = runs.filter(({ runId, epoch }) => {
        const run = ledger.runs.get(runId)
        return run?.epoch === epoch && run.finishedAt === null
      })
      for (const { runId } of owned) ledger.runs.set(runId, { ...ledger.runs.get(runId)!, leaseExpiresAt })
      return owned.map(({ runId }) => runId)
    },
    async requestStop({ runId, by }) {
      gate.check()
      checkId('by', by)
      const run = ledger.runs.get(runId)
      if (run === undefined) throw new RunNotFoundError(runId)
      const isLate = run.finishedAt !== null || run.stopRequest !== null
      const asked = isLate ? run : { ...run, stopRequest: { requestedAt: ledger.now(), by } }
      ledger.runs.set(runId, asked)
      return structuredClone(asked)
    },
    async listStopRequests(owner) {
      gate.check()
      return unfinishedRunsOf(ledger, checkOwner(owner)).flatMap(({ runId, stopRequest }) =>
        stopRequest === null ? [] : [{ runId, ...stopRequest }],
      )
    },
    async listUnfinishedRuns({ after, limit } = {}) {
      gate.check()
      const [cursor, pageLimit] = [checkUnfinishedRunCursor(after), checkPageLimit(limit)]
      const now = ledger.now()
      const runs = unfinishedRuns(ledger)
        .sort(compareRuns)
        .filter((run) => cursor === undefined || compareRuns(run, cursor) > 0)
      const items = runs
        .slice(0, pageLimit)
        .map((run) => ({ run: structuredClone(run), leaseExpired: hasLeaseExpired(run, now) }))
      const last = items.at(-1)?.run
      const next =
        runs.length > pageLimit && last !== undefined ? { sessionId: last.sessionId, runId: last.runId } : null
      return { items, next, floor: 1 }
    },
    close: gate.close,
  }
}

function compareRuns(a: UnfinishedRunCursor, b: UnfinishedRunCursor): number {
  return compareCodePoints(a.sessionId, b.sessionId) || compareCodePoints(a.runId, b.runId)
}
