import type { InvocationEffect, RunRecord } from '@daybook/core'
import type { SessionEvent } from '@daybook/core/events'
import type { InvocationState } from '@daybook/core/runtime-invocation'
import { type ClosingBatch, closingBatch } from '../ledger/closing-batch.ts'
import type { TurnLedger } from '../ledger/turn-ledger.ts'
import { codeOf, faultOf } from '../ledger/write.ts'
import type { RunRecovery } from '../recovery/run-recovery.ts'
import type { BackendEnd } from './backend-end.ts'
import { failureEvents, failureFromThrown } from './failure.ts'
import type { LiveTurn } from './live-turn.ts'
import type { Stamp } from './stamp.ts'

export interface EndContext extends Stamp {
  readonly recovery: RunRecovery
}

type Ending = readonly [...SessionEvent[], SessionEvent]

/**
 * Writes the one terminal event, then tells the consumer. Where it cannot be written the run stays unfinished, and the
 * consumer and the outcome get what the store threw. Never rejects.
 */
export async function endTurn(
  turn: LiveTurn,
  run: RunRecord,
  ledger: TurnLedger,
  end: BackendEnd,
  context: EndContext,
): Promise<void> {
  const { turnId, runId, invocationId } = run
  const storeFailure = 'error' in end ? { error: end.error } : undefined
  try {
    const effect = turn.step(end.input)
    if (effect === 'abandon') throw storeFailure?.error
    const { events, terminal } = await commit(ledger, endingOf(effect, turn, run, end, context), context)
    turn.finish({
      turnId,
      runId,
      invocationId,
      state: terminal.status as InvocationState,
      ...(terminal.actions?.ending && { ending: terminal.actions.ending }),
      ...storeFailure,
    })
    if (storeFailure === undefined) for (const event of events) void turn.events.give(event)
    turn.events.end(storeFailure)
  } catch (error) {
    if (faultOf(error) !== 'owner' && turn.step('store_failed') === 'leave_to_recovery')
      context.recovery.leave(run.sessionId, runId)
    turn.finish({ turnId, runId, invocationId, state: 'running', error })
    turn.events.end({ error })
  }
}

function endingOf(effect: InvocationEffect, turn: LiveTurn, run: RunRecord, end: BackendEnd, stamp: Stamp): Ending {
  const { turnId } = run
  const source = turn.abortSource
  if (effect === 'end_aborted' && source !== undefined) {
    return [{ type: 'abort', id: stamp.newId(), turnId, ts: stamp.now(), source }]
  }
  return 'event' in end ? [end.event] : failureEvents(end.failure, turnId, stamp)
}

/** What the backend said last may be what the ledger refuses; then the turn failed by that. */
async function commit(ledger: TurnLedger, ending: Ending, stamp: Stamp): Promise<ClosingBatch> {
  const batch = closingBatch(ledger, ending, 'kept', stamp)
  try {
    await ledger.append(batch.facts)
    return batch
  } catch (error) {
    if (faultOf(error) !== 'event') throw error
    const failure = failureFromThrown(error, codeOf(error) ?? 'store_failed')
    const texts = ledger.openItems.texts.size > 0 ? 'lost' : 'kept'
    const ownBatch = closingBatch(ledger, failureEvents(failure, batch.terminal.turnId, stamp), texts, stamp)
    await ledger.append(ownBatch.facts)
    return ownBatch
  }
}
