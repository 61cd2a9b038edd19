import type { InvocationState } from '../invocation/invocation-state.ts'
import type { InvocationSource } from '../runtime-event/content.ts'
import type { RuntimeEvent } from '../runtime-event/runtime-event.ts'
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
  /** When the owner counts as gone unless it renews, by the store's clock; null: it does not renew. */
  readonly leaseExpiresAt: number | null
}

export interface OpenRunRequest {
  readonly runId: string
  readonly invocationId: string
  readonly sessionId: string
  readonly turnId: string
  readonly exclusive: boolean
  readonly inputDigest: string
  readonly owner: RunOwner
  /** The opening event, then the user's text where there is one. All have the ids above. */
  readonly events: readonly [RuntimeEvent, ...RuntimeEvent[]]
}

export interface AgentRunStore {
  readonly storage: StorageIdentity
  /**
   * Writes the run, its head and its first events in one transaction, at epoch 1.
   * Checks in this order and throws `SessionNotFoundError`, `TurnExistsError` (a fresh source whose turn id has a fresh
   * run in this session), `RunExistsError`, `SessionBusyError`; nothing is written then.
   */
  openRun(request: OpenRunRequest): Promise<RunRecord>
  readRun(runId: string): Promise<RunRecord | undefined>
  /** The unfinished exclusive run of the session. */
  readActiveRun(sessionId: string): Promise<RunRecord | undefined>
  /**
   * Takes the run over: raises its epoch by one and names the new owner, if the epoch still is `expectedEpoch`.
   * Throws `RunNotFoundError`, `RunSealedError`, or `StaleOwnerError` when someone else claimed first.
   */
  claimRun(request: {
    readonly runId: string
    readonly expectedEpoch: number
    readonly owner: RunOwner
  }): Promise<RunRecord>
  close(): void
}
