import {
  NothingToContinueError,
  type RunRecord,
  SessionBusyError,
  TurnNotFoundError,
  TurnNotNewestError,
} from '@daybook/core'
import type { RuntimeContext } from '../session/runtime-context.ts'

/**
 * Where the conversation ends now; with a turn id, that of this turn. Throws `NothingToContinueError` where there is no
 * turn, `TurnNotFoundError`, and `TurnNotNewestError`.
 */
export async function newestRun(
  sessionId: string,
  turnId: string | undefined,
  { runStore }: Pick<RuntimeContext, 'runStore'>,
): Promise<RunRecord> {
  const newest = await runStore.readNewestRun(sessionId)
  if (turnId !== undefined && turnId !== newest?.turnId) {
    const exists = (await runStore.listTurnRuns(sessionId, turnId)).length > 0
    throw exists && newest ? new TurnNotNewestError(turnId, newest.turnId) : new TurnNotFoundError(sessionId, turnId)
  }
  if (newest === undefined) throw new NothingToContinueError(sessionId, undefined, 0)
  return newest
}

/** Ends an unfinished run that nobody drives any more; throws `SessionBusyError` where somebody may. */
export async function endUnlessDriven(
  { sessionId, runId, turnId }: RunRecord,
  { recovery }: Pick<RuntimeContext, 'recovery'>,
): Promise<void> {
  if ((await recovery.endIfOrphaned(runId)) === 'owned') throw new SessionBusyError(sessionId, runId, turnId)
}
