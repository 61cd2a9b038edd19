import type { RuntimeContext } from '../session/runtime-context.ts'
import { beginTurn } from './begin-turn.ts'
import type { OpenedTurn } from './opened-turn.ts'
import type { TurnOutcome } from './turn-outcome.ts'
import { type Watch, watchEvents } from './watch-events.ts'

/** A turn that runs by itself. */
export interface StartedTurn {
  readonly turnId: string
  readonly runId: string
  readonly invocationId: string
  /** Resolves when the invocation has ended, and who watches it was told everything; never rejects. */
  readonly finished: Promise<TurnOutcome>
}

/**
 * Opens an invocation and lets it run by itself. Rejects as `open` does, and with `ManagerClosedError`. The invocation is
 * as good as stopped before it begins when the session is stopped meanwhile.
 */
export async function startInvocation(
  sessionId: string,
  watch: Watch | undefined,
  open: () => Promise<OpenedTurn>,
  context: RuntimeContext,
): Promise<StartedTurn> {
  const turn = context.liveTurns.add(sessionId)
  if (watch === undefined) turn.events.leave()
  const { turnId, runId, invocationId } = await beginTurn(turn, open, context)
  const watched = watch && watchEvents(turn.events, watch, context.warn)
  const finished = turn.over.then(async (outcome) => {
    await watched
    return outcome as TurnOutcome
  })
  return { turnId, runId, invocationId, finished }
}
