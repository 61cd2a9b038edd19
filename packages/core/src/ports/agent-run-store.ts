import type { InvocationState } from '../invocation/invocation-state.ts'
import type { InvocationSource } from '../runtime-event/content.ts'
import type { RuntimeEvent } from '../runtime-event/runtime-event.ts'
import type { AgentEventWrites } from './agent-event-store.ts'
import type { Page } from './page.ts'
import type { StorageIdentity } from './storage-identity.ts'

/** Which process owns a run, precise enough that a reused pid is not taken for the owner. */
export interface RunOwner {
  /** Identifies one boot of one kernel; null where the system does not tell. */
  readonly bootId: string | null
  /** The pid namespace that `pid` belongs to; null where the system does not tell. */
  readonly pidNamespace: string | null
  readonly pid: number
  /** Start of the process in the system's own unit; null where the system does not tell. */
  readonly processStartedAt: string | null
}

/** The operational side of an invocation. Everything in it that matters for history is in the ledger too. */
export interface RunRecord {
  readonly runId: string
  readonly invocationId: string
  readonly sessionId: string
  readonly turnId: string
  readonly source: InvocationSource
  readonly parentInvocationId: string | null
  /** An unfinished exclusive run keeps other exclusive runs of its session out. */
  readonly exclusive: boolean
  /** SHA-256 of the user's input in lower-case hex: tells a repeated call from another one with the same turn id. */
  readonly inputDigest: string
  readonly openedAt: number
  readonly finishedAt: number | null
  readonly state: InvocationState
  readonly owner: RunOwner
  /** Raised by one at each claim; an append with another epoch is refused. */
  readonly epoch: number
  /** When anybody may claim the run unless its owner renews, by the store's clock; null: never for that reason. */
  readonly leaseExpiresAt: number | null
  /** The first request to stop it; null while there is none. */
  readonly stopRequest: StopRequest | null
}

/** That somebody, in whatever process, wants a run to end. */
export interface StopRequest {
  /** When it was written, by the store's clock. */
  readonly requestedAt: number
  /** Who wants it, such as `user`: the terminal event names it as `abortSource`. */
  readonly by: string
}

/** An unfinished run, as it was when the page was read. */
export interface UnfinishedRun {
  readonly run: RunRecord
  /** By the store's clock: anybody may claim the run. */
  readonly leaseExpired: boolean
}

export interface UnfinishedRunCursor {
  readonly sessionId: string
  readonly runId: string
}

export interface OpenRunRequest {
  readonly runId: string
  readonly invocationId: string
  readonly sessionId: string
  readonly turnId: string
  readonly exclusive: boolean
  readonly inputDigest: string
  readonly owner: RunOwner
  /** How long the owner has the run for itself without renewing, in ms. Default: until it is provably dead. */
  readonly leaseMs?: number
  /**
   * The opening event, then what belongs to the opening: the user's text, or the answers that a continuation brings. All
   * have the ids above. A terminal event as the last ends the run at once: it is a record and nobody drives it.
   */
  readonly events: readonly [RuntimeEvent, ...RuntimeEvent[]]
  /** For the delivery log of the run. */
  readonly agentEvents?: AgentEventWrites
}

export interface ClaimRunRequest {
  readonly runId: string
  readonly expectedEpoch: number
  readonly owner: RunOwner
  /** As for `openRun`. */
  readonly leaseMs?: number
  /**
   * The caller knows that the owner writes nothing any more, because its process is dead or because it is the caller
   * itself: the lease need not have expired. Default false.
   */
  readonly ownerIsGone?: boolean
}

export interface AgentRunStore {
  readonly storage: StorageIdentity
  /**
   * Writes the run, its head and its first events in one transaction, at epoch 1.
   * Checks in this order and throws `SessionNotFoundError`, `TurnExistsError` (a fresh source whose turn id has a fresh
   * run in this session), `RunExistsError`, `SessionBusyError`, `TurnNotNewestError` (an exclusive run that goes on from
   * another invocation than the newest exclusive one, or retries another turn), then what `append` throws for what the
   * events ask and answer, and for the rows of the delivery log; nothing is written then.
   */
  openRun(request: OpenRunRequest): Promise<RunRecord>
  readRun(runId: string): Promise<RunRecord | undefined>
  readRunOfInvocation(invocationId: string): Promise<RunRecord | undefined>
  /** The unfinished exclusive run of the session. */
  readActiveRun(sessionId: string): Promise<RunRecord | undefined>
  /** The exclusive run that was opened last in the session, finished or not: where the conversation ends now. */
  readNewestRun(sessionId: string): Promise<RunRecord | undefined>
  /** The exclusive runs of a turn, in the order in which they were opened. Other turns cost nothing here. */
  listTurnRuns(sessionId: string, turnId: string): Promise<readonly RunRecord[]>
  /**
   * Takes the run over: raises its epoch by one and names the new owner, if the epoch still is `expectedEpoch` and the
   * lease has expired by the store's clock. A request to stop it stays.
   * Throws, in this order, `RunNotFoundError`, `RunSealedError`, `StaleOwnerError` when someone else claimed first, and
   * `RunOwnedError` while the owner may be alive. May be asked again and again until then: a refusal holds up no writer.
   */
  claimRun(request: ClaimRunRequest): Promise<RunRecord>
  /**
   * Renews what is still owned under these epochs and unfinished, in one statement, whether or not the leases had expired.
   * Resolves to the ids of the runs that were renewed: the others have ended or have another owner.
   */
  renewLeases(request: {
    readonly runs: readonly { readonly runId: string; readonly epoch: number }[]
    readonly leaseMs: number
  }): Promise<readonly string[]>
  /**
   * Asks the owner of an unfinished run to stop it. Of several requests the first stays; one for a run that has ended
   * changes nothing. Resolves to the run as it then is. Throws `RunNotFoundError`.
   */
  requestStop(request: { readonly runId: string; readonly by: string }): Promise<RunRecord>
  /** The unfinished runs of this owner that somebody asked to stop. Cheap enough to be asked every few milliseconds. */
  listStopRequests(owner: RunOwner): Promise<readonly (StopRequest & { readonly runId: string })[]>
  /** The unfinished runs of all sessions by (session id, run id), strictly after the cursor. History costs nothing here. */
  listUnfinishedRuns(query?: {
    readonly after?: UnfinishedRunCursor
    readonly limit?: number
  }): Promise<Page<UnfinishedRun, UnfinishedRunCursor>>
  close(): void
}
