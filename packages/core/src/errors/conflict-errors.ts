import type { InvocationState } from '../invocation/invocation-state.ts'
import type { RunOwner } from '../ports/agent-run-store.ts'
import type { RequestState } from '../request/request-record.ts'
import { DaybookError } from './daybook-error.ts'

/** A session with this id, or this external id of the same tenant, exists. */
export class SessionExistsError extends DaybookError {
  readonly field: 'id' | 'externalId'
  readonly value: string
  constructor(field: 'id' | 'externalId', value: string) {
    super('SESSION_EXISTS', `a session with ${field} "${value}" exists`)
    this.field = field
    this.value = value
  }
}

/** The session has an unfinished exclusive run. Wait for it, stop it, or recover it. */
export class SessionBusyError extends DaybookError {
  readonly sessionId: string
  readonly runId: string
  readonly turnId: string
  constructor(sessionId: string, runId: string, turnId: string) {
    super(
      'SESSION_BUSY',
      `session "${sessionId}" is answering turn "${turnId}" (run "${runId}"); wait for it or stop it`,
    )
    this.sessionId = sessionId
    this.runId = runId
    this.turnId = turnId
  }
}

/** The turn id was used before in this session. With `sameInput`, this call is a repeat: follow or read `runId` instead. */
export class TurnExistsError extends DaybookError {
  readonly sessionId: string
  readonly turnId: string
  readonly runId: string
  readonly state: InvocationState
  readonly sameInput: boolean
  constructor(fields: {
    sessionId: string
    turnId: string
    runId: string
    state: InvocationState
    sameInput: boolean
  }) {
    super(
      'TURN_EXISTS',
      `turn "${fields.turnId}" exists in session "${fields.sessionId}" with ${fields.sameInput ? 'the same' : 'another'} input (run "${fields.runId}", ${fields.state})`,
    )
    this.sessionId = fields.sessionId
    this.turnId = fields.turnId
    this.runId = fields.runId
    this.state = fields.state
    this.sameInput = fields.sameInput
  }
}

export class RunExistsError extends DaybookError {
  readonly runId: string
  constructor(runId: string) {
    super('RUN_EXISTS', `a run or invocation with the id "${runId}" exists`)
    this.runId = runId
  }
}

/** The event id is taken in this invocation by an event with other bytes. */
export class EventIdConflictError extends DaybookError {
  readonly eventId: string
  readonly invocationId: string
  constructor(eventId: string, invocationId: string) {
    super('EVENT_ID_CONFLICT', `invocation "${invocationId}" has another event with the id "${eventId}"`)
    this.eventId = eventId
    this.invocationId = invocationId
  }
}

/** Another process owns the run now. Stop writing: nothing of this call was stored. */
export class StaleOwnerError extends DaybookError {
  readonly runId: string
  readonly epoch: number
  readonly currentEpoch: number
  constructor(runId: string, epoch: number, currentEpoch: number) {
    super('STALE_OWNER', `run "${runId}" is at epoch ${currentEpoch}; this owner holds epoch ${epoch}`)
    this.runId = runId
    this.epoch = epoch
    this.currentEpoch = currentEpoch
  }
}

/** The run has its terminal event and accepts no more. */
export class RunSealedError extends DaybookError {
  readonly runId: string
  constructor(runId: string) {
    super('RUN_SEALED', `run "${runId}" has ended; it accepts no more events`)
    this.runId = runId
  }
}

/** The owner of the run may be alive: its lease has not expired, or it has none and is not known to be dead. */
export class RunOwnedError extends DaybookError {
  readonly runId: string
  readonly owner: RunOwner
  readonly leaseExpiresAt: number | null
  constructor(runId: string, owner: RunOwner, leaseExpiresAt: number | null) {
    const until = leaseExpiresAt === null ? 'without a lease' : `at least until ${leaseExpiresAt}`
    super('RUN_OWNED', `run "${runId}" belongs to process ${owner.pid} ${until}; only its death frees it before`)
    this.runId = runId
    this.owner = owner
    this.leaseExpiresAt = leaseExpiresAt
  }
}

/** The request to stop is stored, and the run had not ended after `waitedMs`. Its owner, or recovery, ends it later. */
export class StopPendingError extends DaybookError {
  readonly runId: string
  readonly waitedMs: number
  constructor(runId: string, waitedMs: number) {
    super('STOP_PENDING', `run "${runId}" was asked to stop and had not ended after ${waitedMs} ms; ask again later`)
    this.runId = runId
    this.waitedMs = waitedMs
  }
}

/** Only the newest turn of a session can be tried again or gone on with. Branch before another one instead. */
export class TurnNotNewestError extends DaybookError {
  readonly turnId: string
  readonly newestTurnId: string
  constructor(turnId: string, newestTurnId: string) {
    super(
      'TURN_NOT_NEWEST',
      `turn "${turnId}" is not the newest, which is "${newestTurnId}"; branch the session instead`,
    )
    this.turnId = turnId
    this.newestTurnId = newestTurnId
  }
}

/** The newest turn neither waits for answers that it has, nor was it interrupted. `openRequests` of it are not answered. */
export class NothingToContinueError extends DaybookError {
  readonly sessionId: string
  readonly state: InvocationState | undefined
  readonly openRequests: number
  constructor(sessionId: string, state: InvocationState | undefined, openRequests: number) {
    const why =
      openRequests > 0 ? `${openRequests} requests are not answered` : `its newest turn is ${state ?? 'not there'}`
    super('NOTHING_TO_CONTINUE', `session "${sessionId}" cannot be gone on with: ${why}`)
    this.sessionId = sessionId
    this.state = state
    this.openRequests = openRequests
  }
}

/** The request is closed: by another answer, or because its turn ended or was passed by. */
export class RequestClosedError extends DaybookError {
  readonly requestId: string
  readonly state: RequestState
  /** The answer that closed it is the same as this one: this call is a repeat. */
  readonly sameAnswer: boolean
  constructor(requestId: string, state: RequestState, sameAnswer: boolean) {
    super(
      'REQUEST_CLOSED',
      `request "${requestId}" is closed as ${state}${sameAnswer ? ', by the same answer as this' : ''}`,
    )
    this.requestId = requestId
    this.state = state
    this.sameAnswer = sameAnswer
  }
}

/** The answer is to something else than what was asked under this id: show the request again. */
export class RequestChangedError extends DaybookError {
  readonly requestId: string
  readonly digest: string
  constructor(requestId: string, digest: string) {
    super('REQUEST_CHANGED', `request "${requestId}" is not what was shown: its digest is ${digest}`)
    this.requestId = requestId
    this.digest = digest
  }
}

/** The time to answer is over by the store's clock: the request counts as denied. */
export class RequestExpiredError extends DaybookError {
  readonly requestId: string
  readonly expiredAt: number
  constructor(requestId: string, expiredAt: number) {
    super('REQUEST_EXPIRED', `request "${requestId}" could be answered until ${expiredAt} and counts as denied`)
    this.requestId = requestId
    this.expiredAt = expiredAt
  }
}

/** The session was changed since it was read. Read it again, then decide. */
export class RevisionConflictError extends DaybookError {
  readonly sessionId: string
  readonly expectedRevision: number
  readonly revision: number
  constructor(sessionId: string, expectedRevision: number, revision: number) {
    super('REVISION_CONFLICT', `session "${sessionId}" is at revision ${revision}, not ${expectedRevision}`)
    this.sessionId = sessionId
    this.expectedRevision = expectedRevision
    this.revision = revision
  }
}

/** Branches read through the session: remove them first, or with it. */
export class SessionHasBranchesError extends DaybookError {
  readonly sessionId: string
  readonly branches: number
  constructor(sessionId: string, branches: number) {
    super(
      'SESSION_HAS_BRANCHES',
      `${branches} branches read through session "${sessionId}"; remove them first or with it`,
    )
    this.sessionId = sessionId
    this.branches = branches
  }
}

/** The run's delivery log has a row of this seq: another writer was first. Read where it stands, then append after that. */
export class AgentEventDuplicateSeqError extends DaybookError {
  readonly runId: string
  readonly seq: number
  constructor(runId: string, seq: number, options?: { cause?: unknown }) {
    super('AGENT_EVENT_DUPLICATE_SEQ', `the log of run "${runId}" has a row ${seq}`, options)
    this.runId = runId
    this.seq = seq
  }
}

/** The run has no delivery log: it was never opened, or is swept. */
export class AgentEventLogNotOpenError extends DaybookError {
  readonly runId: string
  constructor(runId: string) {
    super('AGENT_EVENT_LOG_NOT_OPEN', `run "${runId}" has no event log; open it before appending to it`)
    this.runId = runId
  }
}

/** The delivery log has its terminal row and takes no more. */
export class AgentEventLogSealedError extends DaybookError {
  readonly runId: string
  constructor(runId: string) {
    super('AGENT_EVENT_LOG_SEALED', `the event log of run "${runId}" has ended; it takes no more events`)
    this.runId = runId
  }
}
