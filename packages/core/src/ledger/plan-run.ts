import {
  InvalidEventError,
  InvalidInputError,
  RunExistsError,
  SessionBusyError,
  SessionNotFoundError,
  TurnExistsError,
  TurnNotNewestError,
} from '../errors/index.ts'
import { checkId } from '../json/id.ts'
import { type AgentEventWriteRecords, encodeAgentEventWrites } from '../ports/check-agent-event.ts'
import type { OpenRunRequest, RunOwner, RunRecord } from '../ports/agent-run-store.ts'
import type { InvocationOpenedContent } from '../runtime-event/content.ts'
import { encodeEvents, type EncodedEvent, isOpening } from './encoded-event.ts'
import { checkLeaseMs } from './lease.ts'
import { sha256Pattern } from './sha256.ts'

/** A run as it is opened, with its first events. The lease begins with the transaction: `leaseEnd` tells until when. */
export interface RunOpening {
  readonly run: RunRecord
  readonly leaseMs: number | null
  readonly events: readonly EncodedEvent[]
  readonly agentEvents: AgentEventWriteRecords | undefined
}

/** What a store looks up for `checkRunOpening`, inside the transaction that writes the run. */
export interface RunState {
  sessionExists(sessionId: string): boolean
  /** The run of a fresh source with this turn id. */
  findFreshRun(sessionId: string, turnId: string): RunRecord | undefined
  /** Whether a run, or the head of an invocation, has the id. */
  runExists(runId: string): boolean
  invocationExists(invocationId: string): boolean
  findActiveRun(sessionId: string): RunRecord | undefined
  /** The exclusive run that was opened last in the session, finished or not. */
  findNewestRun(sessionId: string): RunRecord | undefined
}

/** What of an opening can be refused without looking at a ledger: ids, the digest, the owner, the first events and rows. */
export function prepareRunOpening(request: OpenRunRequest): RunOpening {
  const { runId, invocationId, sessionId, turnId, exclusive, inputDigest } = request
  for (const field of ['runId', 'invocationId', 'sessionId', 'turnId'] as const) checkId(field, request[field])
  if (typeof exclusive !== 'boolean') throw new InvalidInputError('exclusive', 'must be true or false')
  if (!sha256Pattern.test(inputDigest)) throw new InvalidInputError('inputDigest', 'must be 64 lower-case hex digits')
  const events = encodeEvents(invocationId, request.events)
  const { event: opening } = events[0]!
  if (!isOpening(opening)) throw new InvalidEventError('/content/kind', 'of the first event must be invocation_opened')
  const leaseMs = request.leaseMs === undefined ? null : checkLeaseMs(request.leaseMs)
  const { source, lineage } = opening.content as InvocationOpenedContent
  const run: RunRecord = {
    runId,
    invocationId,
    sessionId,
    turnId,
    source,
    parentInvocationId: lineage?.parentInvocationId ?? null,
    exclusive,
    inputDigest,
    openedAt: opening.ts,
    finishedAt: null,
    state: 'running',
    owner: checkOwner(request.owner),
    epoch: 1,
    leaseExpiresAt: null,
    stopRequest: null,
  }
  const agentEvents = request.agentEvents && encodeAgentEventWrites(request.agentEvents)
  return { run, leaseMs, events, agentEvents }
}

/**
 * Throws, in this order, `SessionNotFoundError`, `TurnExistsError`, `RunExistsError`, `SessionBusyError`,
 * `TurnNotNewestError`.
 */
export function checkRunOpening(run: RunRecord, state: RunState): void {
  const { runId, invocationId, sessionId, turnId } = run
  if (!state.sessionExists(sessionId)) throw new SessionNotFoundError(sessionId)
  const fresh = run.source.kind === 'fresh' ? state.findFreshRun(sessionId, turnId) : undefined
  if (fresh !== undefined) {
    const sameInput = fresh.inputDigest === run.inputDigest
    throw new TurnExistsError({ sessionId, turnId, runId: fresh.runId, state: fresh.state, sameInput })
  }
  if (state.runExists(runId)) throw new RunExistsError(runId)
  if (state.invocationExists(invocationId)) throw new RunExistsError(invocationId)
  const active = run.exclusive ? state.findActiveRun(sessionId) : undefined
  if (active !== undefined) throw new SessionBusyError(sessionId, active.runId, active.turnId)
  if (run.exclusive && run.source.kind !== 'fresh') checkSource(run, state.findNewestRun(sessionId))
}

/** The conversation has one end: what goes on or is tried again is what was opened last. */
function checkSource({ source, turnId }: RunRecord, newest: RunRecord | undefined): void {
  const isNewest = source.kind === 'continuation' ? newest?.invocationId === source.of : newest?.turnId === turnId
  if (!isNewest) throw new TurnNotNewestError(turnId, newest?.turnId ?? '')
}

/** Returns a copy. Throws `InvalidInputError` where a field cannot be what it says. */
export function checkOwner(owner: RunOwner): RunOwner {
  const { bootId, pidNamespace, pid, processStartedAt } = owner
  for (const [field, value] of Object.entries({ bootId, pidNamespace, processStartedAt })) {
    if (value !== null) checkId(`owner.${field}`, value)
  }
  if (!Number.isSafeInteger(pid) || pid < 1) throw new InvalidInputError('owner.pid', 'must be a positive integer')
  return { bootId, pidNamespace, pid, processStartedAt }
}
