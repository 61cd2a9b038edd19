import type { RequestRecord, RunRecord } from '@daybook/core'
import type { TurnLedger } from '../ledger/turn-ledger.ts'
import { codeOf, faultOf } from '../ledger/write.ts'
import type { RuntimeContext } from '../session/runtime-context.ts'
import type { BackendSend } from '../turn/backend-send.ts'
import type { LiveTurn } from '../turn/live-turn.ts'
import { answerEvent, expiredAnswer } from './continuation-events.ts'

export interface LiveSend {
  readonly turn: LiveTurn
  readonly run: RunRecord
  readonly ledger: TurnLedger
  readonly send: BackendSend
}

/**
 * Gives the backend the answer to what it waits for. That nobody answered in time is recorded first, under the epoch of
 * this process: where that is refused, another one has the run, and nothing is given. Never rejects.
 */
export async function passOnAnswer(
  settled: RequestRecord,
  { turn, run, ledger, send }: LiveSend,
  context: RuntimeContext,
): Promise<void> {
  if (settled.state !== 'open') return send.answer(settled)
  const answer = expiredAnswer(settled)
  try {
    await ledger.append([answerEvent(answer, run, context)])
    await send.answer({ ...settled, state: 'expired', answer })
  } catch (error) {
    if (faultOf(error) === 'owner') return
    context.warn(`that request "${settled.requestId}" has expired could not be recorded, and is tried again`, error)
    if (codeOf(error) !== 'REQUEST_CLOSED') turn.awaits(settled.requestId)
  }
}
