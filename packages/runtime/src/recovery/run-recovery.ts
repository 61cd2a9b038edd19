import { setImmediate } from 'node:timers/promises'
import type {
  AgentRunStore,
  RunOwner,
  RunRecord,
  RuntimeEventStore,
  SessionBusyError,
  TurnExistsError,
} from '@daybook/core'
import { nextInvocationStep } from '@daybook/core'
import type { DeliveryLogs } from '../ledger/turn-log.ts'
import { codeOf, faultOf } from '../ledger/write.ts'
import { isProvablyDead, isSameOwner } from '../owner/process-identity.ts'
import type { ProcessTable } from '../owner/process-table.ts'
import type { Failure } from '../turn/failure.ts'
import type { Stamp } from '../turn/stamp.ts'
import { endRun } from './end-run.ts'

export interface RecoveryContext extends Stamp {
  readonly runStore: AgentRunStore
  readonly runtimeEventStore: RuntimeEventStore
  readonly owner: RunOwner
  readonly processTable: ProcessTable
  readonly leaseMs: number
  /** Whether this process drives the run: then nothing is wrong with it, however late it renews its lease. */
  readonly isDriven: (runId: string) => boolean
  readonly agentEvents: DeliveryLogs | undefined
}

/** What became of a run that may have been left by its owner. */
export type OrphanEnd =
  /** This call ended it. */
  | 'closed'
  /** It had ended, or another process takes care of it. */
  | 'settled'
  /** Its owner may be alive. */
  | 'owned'

const ownerDied: Failure = {
  code: 'app_restarted',
  message: 'the process that answered ended before the turn did',
}
const leaseExpired: Failure = {
  code: 'app_restarted',
  message: 'the process that answered gave no sign of life until its lease expired',
}
const storageFailed: Failure = {
  code: 'storage_unavailable',
  message: 'the turn was given up while the storage could not be written',
}

/** Ends runs that nobody drives any more. */
export class RunRecovery {
  readonly #context: RecoveryContext
  /** By run id, the runs of this process that it does not drive and may not have ended, and what they failed by. */
  readonly #left = new Map<string, { readonly sessionId: string; readonly failure: Failure }>()
  readonly #ongoing = new Map<string, Promise<OrphanEnd>>()

  constructor(context: RecoveryContext) {
    this.#context = context
  }

  /** This process does not drive the run, and could not end it or could not learn whether it was opened. */
  leave(sessionId: string, runId: string, failure: Failure = storageFailed): void {
    this.#left.set(runId, { sessionId, failure })
  }

  /** Does what an unfinished run of the session keeps from being done, once the runs that nobody drives are ended. */
  async unlessBusy<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
    for (const [runId, left] of this.#left) if (left.sessionId === sessionId) await this.endIfOrphaned(runId)
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!isBlockedByRun(error) || (await this.endIfOrphaned(error.runId)) === 'owned') throw error
      }
    }
  }

  /** Whether the run is known to have nobody who drives it; its lease says nothing about that. */
  isOrphan({ runId, owner }: RunRecord): boolean {
    return this.#isLeft(runId, owner) || isProvablyDead(owner, this.#context.processTable)
  }

  /**
   * Ends the run as failed when nobody drives it: its owner is provably dead, its lease has expired, or this process left
   * it. Rejects with what the store throws; the run then is left, and can be ended by another call.
   */
  endIfOrphaned(runId: string): Promise<OrphanEnd> {
    const ongoing = this.#ongoing.get(runId)
    if (ongoing !== undefined) return ongoing
    const ending = this.#endIfOrphaned(runId).finally(() => this.#ongoing.delete(runId))
    this.#ongoing.set(runId, ending)
    return ending
  }

  async #endIfOrphaned(runId: string): Promise<OrphanEnd> {
    if (this.#context.isDriven(runId)) return 'owned'
    const run = await this.#context.runStore.readRun(runId)
    const end = run !== undefined && isUnfinished(run) ? await this.#takeOverAndEnd(run) : 'settled'
    if (end !== 'owned') this.#left.delete(runId)
    return end
  }

  async #takeOverAndEnd(run: RunRecord): Promise<OrphanEnd> {
    const { runStore, owner, leaseMs } = this.#context
    const { runId, sessionId, epoch } = run
    const ownerIsGone = this.isOrphan(run)
    const left = this.#isLeft(runId, run.owner) ? this.#left.get(runId) : undefined
    const failure = left?.failure ?? (ownerIsGone ? ownerDied : leaseExpired)
    // From the claim on this process is the owner: should the rest fail, it left the run.
    this.leave(sessionId, runId, failure)
    try {
      const claimed = await runStore.claimRun({ runId, expectedEpoch: epoch, owner, leaseMs, ownerIsGone })
      await endRun(claimed, failure, this.#context)
      return 'closed'
    } catch (error) {
      if (codeOf(error) === 'RUN_OWNED') {
        this.#left.delete(runId)
        return 'owned'
      }
      if (faultOf(error) !== 'owner') throw error
      // Who claimed it meanwhile goes first: else several who take one another for dead could claim it for ever.
      await setImmediate()
      return 'settled'
    }
  }

  #isLeft(runId: string, owner: RunOwner): boolean {
    return this.#left.has(runId) && isSameOwner(owner, this.#context.owner)
  }
}

function isUnfinished({ state }: RunRecord): boolean {
  return nextInvocationStep(state, 'owner_died').effect === 'end_failed'
}

function isBlockedByRun(error: unknown): error is SessionBusyError | TurnExistsError {
  const code = codeOf(error)
  return code === 'SESSION_BUSY' || (code === 'TURN_EXISTS' && (error as TurnExistsError).state === 'running')
}
