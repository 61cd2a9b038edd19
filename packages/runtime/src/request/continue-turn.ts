import {
  nextInvocationStep,
  NothingToContinueError,
  type RunRecord,
  type SessionScope,
  UnsupportedError,
} from '@daybook/core'
import { findSession } from '../session/find-session.ts'
import type { RuntimeContext } from '../session/runtime-context.ts'
import { goOn, type GoOnInput } from '../turn/go-on.ts'
import type { OpenedTurn } from '../turn/opened-turn.ts'
import type { DeclaredProtocol } from '../turn/protocol-version.ts'
import { outcomeOfRun } from '../turn/outcome-of-run.ts'
import { openRetry } from '../turn/retry-turn.ts'
import type { StartedTurn } from '../turn/start-turn.ts'
import { expiredAnswer } from './continuation-events.ts'
import { openGoingOn } from './open-continuation.ts'
import { openRequestsOf, readPausedTurn } from './paused-turn.ts'

type Open = () => Promise<OpenedTurn>

/** Goes on with the newest turn: one that waits and has its answers, or one that was interrupted. */
export async function continueTurn(
  sessionId: string,
  input: GoOnInput,
  scope: SessionScope,
  context: RuntimeContext,
): Promise<StartedTurn> {
  const prepare = async (newest: RunRecord): Promise<Open> => {
    if (nextInvocationStep(newest.state, 'continue_requested').effect !== 'open_continuation') {
      throw new NothingToContinueError(sessionId, newest.state, 0)
    }
    return (newest.state === 'waiting' ? goOnFromWaiting : goOnFromInterrupted)(newest, input, scope, context)
  }
  return goOn(sessionId, input, 'continue_requested', prepare, scope, context)
}

/** Throws `NothingToContinueError` while something that the turn asked can still be answered. */
async function goOnFromWaiting(
  newest: RunRecord,
  declared: DeclaredProtocol,
  scope: SessionScope,
  context: RuntimeContext,
): Promise<Open> {
  const session = await findSession(context.store, newest.sessionId, scope)
  context.registry.check(session.backendKind)
  const paused = await readPausedTurn(newest, context)
  const { answerable, expired } = await openRequestsOf(paused, scope, context)
  if (answerable.length > 0) throw new NothingToContinueError(session.id, newest.state, answerable.length)
  return () => openGoingOn(paused, session, 'answers', expired.map(expiredAnswer), declared, context)
}

/** What ended a turn that its backend had not finished. A stop is another such end. */
const interruptions: readonly (string | undefined)[] = ['app_restarted', 'storage_unavailable']

/** Throws `NothingToContinueError` for a turn that failed by itself, `UnsupportedError` where the backend cannot. */
async function goOnFromInterrupted(
  newest: RunRecord,
  declared: DeclaredProtocol,
  scope: SessionScope,
  context: RuntimeContext,
): Promise<Open> {
  const { store, runtimeEventStore, backends, registry } = context
  const session = await findSession(store, newest.sessionId, scope)
  const ending = (await outcomeOfRun(newest, runtimeEventStore))?.ending
  if (newest.state === 'failed' && !interruptions.includes(ending?.failureCode)) {
    throw new NothingToContinueError(session.id, newest.state, 0)
  }
  registry.check(session.backendKind)
  const { resume } = await backends.capabilitiesOf(session)
  if (resume === undefined) {
    throw new UnsupportedError('going on with an interrupted turn', `backend kind "${session.backendKind}"`)
  }
  if (resume === 'rerun') return () => openRetry(newest, declared, scope, context)
  const paused = await readPausedTurn(newest, context)
  return () => openGoingOn(paused, session, resume, [], declared, context)
}
