import type { InvocationState } from '@daybook/core/runtime-invocation'
import { passOnAnswer } from '../request/pass-on-answer.ts'
import { TurnLedger } from '../ledger/turn-ledger.ts'
import type { RuntimeContext } from '../session/runtime-context.ts'
import type { BackendEnd } from './backend-end.ts'
import { BackendSend } from './backend-send.ts'
import { endTurn } from './end-turn.ts'
import type { LiveTurn } from './live-turn.ts'
import type { OpenedTurn } from './opened-turn.ts'
import { endByLedger, recordUntilEnd } from './record-until-end.ts'
import { sendInput } from './send-input.ts'

/**
 * Lets the backend answer, tells nothing before it is committed, and ends the invocation. Resolves to how it ended, once the
 * backend was let go of; to `running` where its end could not be written. Never rejects.
 */
export async function driveTurn(turn: LiveTurn, opened: OpenedTurn, context: RuntimeContext): Promise<InvocationState> {
  const { session, run, log, decided = [] } = opened
  const ledger = new TurnLedger(context, run, log)
  let send: BackendSend | undefined
  let end: BackendEnd
  try {
    for (const event of decided) await turn.events.give(event)
    const input = { ...(await sendInput(opened, ledger, context)), abortSignal: turn.abortSignal }
    const ownSend = (send = new BackendSend(turn, session, input, context))
    turn.passAnswersTo((request) => void passOnAnswer(request, { turn, run, ledger, send: ownSend }, context))
    end = await recordUntilEnd(turn, ledger, send, run.turnId)
  } catch (error) {
    end = endByLedger(error)
  }
  if (!('event' in end)) send?.interrupt()
  const state = await endTurn(turn, run, ledger, end, context)
  await send?.letGo()
  return state
}
