import type { AgentRunStore, RunOwner, RunRecord, RuntimeEventStore } from '@daybook/core'
import { nextInvocationStep, trackRuntimeEvent } from '@daybook/core'
import { closingBatch } from '../ledger/closing-batch.ts'
import { TurnLedger } from '../ledger/turn-ledger.ts'
import { faultOf, hasRunOf } from '../ledger/write.ts'
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
const endNotWritten: Failure = {
  code: 'end_not_written',
  message: 'the turn ended, but how could not be written at that time',
}

/** Ends runs that nobody drives any more. */
export class RunRecovery {
  readonly #context: RecoveryContext
  /** By session, the run of this process that it does not drive and may not have ended. */
  readonly #left = new Map<string, string>()
  readonly #ongoing = new Map<string, Promise<boolean>>()

  constructor(context: RecoveryContext) {
    this.#context = context
  }

  /** This process does not drive the run, and could not end it, or could not learn whether it was opened. */
  leave(sessionId: string, runId: string): void {
    this.#left.set(sessionId, runId)
  }

  /** Does what a busy session refuses, again each time the run that kept it busy was orphaned and is ended. */
  async unlessBusy<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!hasRunOf(error, 'SESSION_BUSY') || !(await this.closeIfOrphaned(error.runId))) throw error
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
    if (run === undefined || nextInvocationStep(run.state, 'owner_died').effect !== 'end_failed') return true
    const isLeft = this.#left.get(run.sessionId) === runId && isSameOwner(run.owner, owner)
    if (!isLeft && !isProvablyDead(run.owner, processTable)) return false
    // From the claim on this process is the owner: should the rest fail, it left the run.
    this.leave(run.sessionId, runId)
    await this.#close(run, isLeft ? endNotWritten : ownerDied)
    this.#left.delete(run.sessionId)
    return true
  }

  async #close({ runId, epoch }: RunRecord, failure: Failure): Promise<void> {
    const { runStore, runtimeEventStore, owner } = this.#context
    try {
      const run = await runStore.claimRun({ runId, expectedEpoch: epoch, owner })
      const ledger = new TurnLedger(runtimeEventStore, run)
      for (let after: number | null = 0; after !== null; ) {
        const page = await runtimeEventStore.readRunRuntimeEvents(runId, { after })
        for (const { event } of page.items) trackRuntimeEvent(ledger.openItems, event)
        after = page.next
      }
      const ending = failureEvents(failure, run.turnId, this.#context)
      await ledger.append(closingBatch(ledger, ending, 'lost', this.#context).facts)
    } catch (error) {
      if (faultOf(error) !== 'owner') throw error
    }
  }
}
