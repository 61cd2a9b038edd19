import type { RunRecord, SessionScope } from '@daybook/core'
import { findSession } from '../session/find-session.ts'
import type { RuntimeContext } from '../session/runtime-context.ts'
import { driveTurn } from './drive-turn.ts'
import type { LiveTurn } from './live-turn.ts'
import { openTurn } from './open-turn.ts'
import { checkMessage, type TurnMessage } from './turn-message.ts'

/** Opens a turn and lets it run. Rejects when it is not opened: for its input, a busy session, or by the store. */
export async function beginTurn(
  turn: LiveTurn,
  message: TurnMessage,
  scope: SessionScope,
  context: RuntimeContext,
): Promise<RunRecord> {
  try {
    const checked = checkMessage(message, context.newId)
    const session = await findSession(context.store, turn.sessionId, scope)
    context.registry.check(session.backendKind)
    const opened = await openTurn(session, checked, context)
    context.liveRuns.add(opened.run, turn)
    turn.opened()
    void driveTurn(turn, opened, context)
    return opened.run
  } catch (error) {
    turn.finish(undefined)
    throw error
  }
}
