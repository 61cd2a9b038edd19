import type {
  AgentRunStore,
  RunOwner,
  RunRecord,
  RuntimeEventStore,
  SessionBusyError,
  TurnExistsError,
} from '@daybook/core'
import { nextInvocationStep } from '@daybook/core'
import { closingBatch } from '../ledger/closing-batch.ts'
import { TurnLedger } from '../ledger/turn-ledger.ts'
import { codeOf, faultOf } from '../ledger/write.ts'
import { isProvablyDead, isSameOwner } from '../owner/process-identity.ts'
import type { ProcessTable } from '../owner/process-table.ts'
import { type Failure, failureEvents } from '../turn/failure.ts'
import type { Stamp } from '../turn/stamp.ts'

export interface RecoveryContext extends Stamp {
  readonly runStore: AgentRunStore
  readonly runtimeEventStore: RuntimeEventStore
  readonly owner: RunOwner
  readonly processTable: ProcessTable
}

const ownerDied: Failure = {
  code: 'app_restarted',
  message: 'the process that answered ended before the turn did',
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
  readonly #ongoing = new Map<string, Promise<boolean>>()

  constructor(context: RecoveryContext) {
    this.#context = context
  }

  /** This process does not drive the run, and could not end it or could not learn whether it was opened. */
  leave(sessionId: string, runId: string, failure: Failure = storageFailed): void {
    this.#left.set(runId, { sessionId, failure })
  }

  /** Does what an unfinished run of the session keeps from being done, once the runs that nobody drives are ended. */
  async unlessBusy<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
    for (const [runId, left] of this.#left) if (left.sessionId === sessionId) await this.closeIfOrphaned(runId)
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!isBlockedByRun(error) || !(await this.closeIfOrphaned(error.runId))) throw error
      }
    }
  }

  /**
   * Ends the run as failed when nobody drives it: its owner is provably dead, or it was left. Resolves to true when it has
   * ended or another process took it over, to false when its owner may be alive. Rejects with what the store throws.
   */
  closeIfOrphaned(runId: string): Promise<boolean> {
    const ongoing = this.#ongoing.get(runId)
    if (ongoing !== undefined) return ongoing
    const closing = this.#closeIfOrphaned(runId).finally(() => this.#ongoing.delete(runId))
    this.#ongoing.set(runId, closing)
    return closing
  }

  async #closeIfOrphaned(runId: string): Promise<boolean> {
    const { runStore, owner, processTable } = this.#context
    const run = await runStore.readRun(runId)
    if (run !== undefined && nextInvocationStep(run.state, 'owner_died').effect === 'end_failed') {
      const left = isSameOwner(run.owner, owner) ? this.#left.get(runId) : undefined
      if (left === undefined && !isProvablyDead(run.owner, processTable)) return false
      const failure = left?.failure ?? ownerDied
      // From the claim on this process is the owner: should the rest fail, it left the run.
      this.leave(run.sessionId, runId, failure)
      await this.#close(run, failure)
    }
    this.#left.delete(runId)
    return true
  }

  async #close({ runId, epoch }: RunRecord, failure: Failure): Promise<void> {
    const { runStore, runtimeEventStore, owner } = this.#context
    try {
      const run = await runStore.claimRun({ runId, expectedEpoch: epoch, owner, ownerIsGone: true })
      const ledger = new TurnLedger(runtimeEventStore, run)
      await ledger.readBack()
      const ending = failureEvents(failure, run.turnId, this.#context)
      await ledger.append(closingBatch(ledger, ending, 'lost', this.#context).facts)
    } catch (error) {
      if (faultOf(error) !== 'owner') throw error
    }
  }
}

function isBlockedByRun(error: unknown): error is SessionBusyError | TurnExistsError {
  const code = codeOf(error)
  return code === 'SESSION_BUSY' || (code === 'TURN_EXISTS' && (error as TurnExistsError).state === 'running')
}
