import { nextInvocationStep, type RunRecord, type SessionScope } from '@daybook/core'
import { recordContinuation } from '../request/open-continuation.ts'
import { readPausedTurn } from '../request/paused-turn.ts'
import { outcomeOfRun } from '../turn/outcome-of-run.ts'
import type { TurnOutcome } from '../turn/turn-outcome.ts'
import { untilOpened } from '../turn/until-opened.ts'
import { findSession } from './find-session.ts'
import type { RuntimeContext } from './runtime-context.ts'
import { stopElsewhere } from './stop-elsewhere.ts'

const by = 'user'

/** Stops the turn that is answered, in whatever process, and ends one that waits. Undefined when there is neither. */
export async function stopSession(
  sessionId: string,
  scope: SessionScope,
  context: RuntimeContext,
): Promise<TurnOutcome | undefined> {
  await findSession(context.store, sessionId, scope)
  return untilOpened(async () => {
    const own = await context.liveTurns.stop(sessionId)
    if (own !== undefined && own.state !== 'waiting') return async () => own
    const newest = await context.runStore.readNewestRun(sessionId)
    const effect = newest && nextInvocationStep(newest.state, 'stop_requested').effect
    if (newest === undefined || effect === 'ignore') return async () => own
    if (effect === 'open_aborted') return () => abortWaiting(newest, context)
    // One that this process has just begun is among its turns now.
    if (context.liveRuns.has(newest.runId)) return undefined
    const elsewhere = await stopElsewhere(newest, by, context)
    return elsewhere?.state === 'waiting' ? undefined : async () => elsewhere
  })
}

async function abortWaiting(newest: RunRecord, context: RuntimeContext): Promise<TurnOutcome | undefined> {
  const run = await recordContinuation(await readPausedTurn(newest, context), [], { abortedBy: by }, context)
  return outcomeOfRun(run, context.runtimeEventStore)
}
