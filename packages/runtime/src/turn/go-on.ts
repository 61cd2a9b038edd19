import { type InvocationInput, nextInvocationStep, type RunRecord, type SessionScope } from '@daybook/core'
import { checkIds } from '../check-arguments.ts'
import { findSession } from '../session/find-session.ts'
import type { RuntimeContext } from '../session/runtime-context.ts'
import { endUnlessDriven, newestRun } from './newest-run.ts'
import type { OpenedTurn } from './opened-turn.ts'
import { checkProtocolVersion, type DeclaredProtocol } from './protocol-version.ts'
import { type StartedTurn, startInvocation } from './start-turn.ts'
import { untilOpened } from './until-opened.ts'
import { checkWatch, type Watch } from './watch-events.ts'

export interface GoOnInput extends DeclaredProtocol {
  /** The turn that the caller means. Default the newest one; another one is refused with `TurnNotNewestError`. */
  readonly turnId?: string
  readonly watch?: Watch
}

/**
 * Opens another invocation of the newest turn, once nobody drives it any more. `prepare` is given a turn that has ended,
 * each time anew when somebody else is first: it throws where the turn does not take the input, or tells how to open.
 */
export async function goOn(
  sessionId: string,
  { turnId, watch, protocolVersion }: GoOnInput,
  input: Extract<InvocationInput, 'retry_requested' | 'continue_requested'>,
  prepare: (newest: RunRecord) => Promise<() => Promise<OpenedTurn>>,
  scope: SessionScope,
  context: RuntimeContext,
): Promise<StartedTurn> {
  if (turnId !== undefined) checkIds({ turnId })
  checkWatch(watch)
  checkProtocolVersion(protocolVersion)
  await findSession(context.store, sessionId, scope)
  return untilOpened(async () => {
    const newest = await newestRun(sessionId, turnId, context)
    if (nextInvocationStep(newest.state, input).effect === 'SESSION_BUSY') {
      await endUnlessDriven(newest, context)
      return undefined
    }
    const open = await prepare(newest)
    return () => startInvocation(sessionId, watch, open, context)
  })
}
