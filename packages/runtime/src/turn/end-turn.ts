import type { InvocationEffect, RunRecord } from '@daybook/core'
import type { InvocationEnding } from '@daybook/core/canonical-runtime-event'
import type { SessionEvent } from '@daybook/core/events'
import type { InvocationState } from '@daybook/core/runtime-invocation'
import { type ClosingBatch, closingBatch } from '../ledger/closing-batch.ts'
import type { TurnLedger } from '../ledger/turn-ledger.ts'
import { codeOf, faultOf } from '../ledger/write.ts'
import type { RuntimeContext } from '../session/runtime-context.ts'
import type { BackendEnd } from './backend-end.ts'
import { failureEvents, failureFromThrown } from './failure.ts'
import type { LiveTurn } from './live-turn.ts'
import type { Stamp } from './stamp.ts'
import type { TurnOutcome } from './turn-outcome.ts'

type Ending = readonly [...SessionEvent[], SessionEvent]

/**
 * Writes the one terminal event, then tells the consumer. Where it cannot be written the run stays unfinished, and the
 * consumer and the outcome get what the store threw. Resolves to how it ended, to `running` where it did not. Never rejects.
 */
export async function endTurn(
  turn: LiveTurn,
  run: RunRecord,
  ledger: TurnLedger,
  end: BackendEnd,
  context: RuntimeContext,
): Promise<InvocationState> {
  const { turnId, runId, invocationId, sessionId } = run
  const ids = { turnId, runId, invocationId }
  const unwritten = (error: unknown, note: Pick<TurnOutcome, 'unrecorded'> = {}): InvocationState => {
    turn.finish({ ...ids, state: 'running', error, ...note })
    turn.events.end({ error })
    return 'running'
  }
  const effect = turn.step(end.input)
  const storeFailure = 'error' in end ? { error: end.error } : undefined
  if (effect === 'abandon') {
    const unrecorded = 'unrecorded' in end ? { unrecorded: end.unrecorded } : {}
    context.warn(abandonedMessage(runId, unrecorded.unrecorded), storeFailure?.error)
    return unwritten(storeFailure?.error, unrecorded)
  }
  try {
    if (storeFailure !== undefined) await ledger.readBack()
    const { events, terminal } = await commit(ledger, endingOf(effect, turn, turnId, end, context), context)
    const state = terminal.status as InvocationState
    const ending = terminal.actions?.ending as InvocationEnding
    turn.finish({ ...ids, state, ending, ...storeFailure })
    turn.events.release()
    if (storeFailure === undefined) for (const event of events) void turn.events.give(event)
    turn.events.end(storeFailure)
    return state
  } catch (error) {
    const input = faultOf(error) === 'owner' ? 'owner_replaced' : 'store_failed'
    if (turn.step(input) === 'leave_to_recovery') context.recovery.leave(sessionId, runId)
    return unwritten(error)
  }
}

function abandonedMessage(runId: string, unrecorded: SessionEvent | undefined): string {
  const late = unrecorded === undefined ? '' : `; a ${unrecorded.type} that came after that is not recorded`
  return `run "${runId}" is another process's now, and ends there${late}`
}

function endingOf(effect: InvocationEffect, turn: LiveTurn, turnId: string, end: BackendEnd, stamp: Stamp): Ending {
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
    await ledger.append(batch.facts, batch.events)
    return batch
  } catch (error) {
    if (faultOf(error) !== 'event') throw error
    const failure = failureFromThrown(error, codeOf(error) ?? 'store_failed')
    const texts = ledger.openItems.texts.size > 0 ? 'lost' : 'kept'
    const ownBatch = closingBatch(ledger, failureEvents(failure, batch.terminal.turnId, stamp), texts, stamp)
    await ledger.append(ownBatch.facts, ownBatch.events)
    return ownBatch
  }
}
