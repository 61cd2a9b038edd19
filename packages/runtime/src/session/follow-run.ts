import { RunNotFoundError, type SessionScope, UnsupportedError } from '@daybook/core'
import type { AgentEventSubscription } from '../agent-event-log/subscription.ts'
import { closeLog } from '../recovery/close-log.ts'
import type { RuntimeContext } from './runtime-context.ts'

export interface FollowOptions {
  /** The seq of the last row that was seen. Default 0: from the beginning. */
  readonly after?: number
  /** Ends the follow. */
  readonly signal?: AbortSignal
}

export async function followRun(
  runId: string,
  { after = 0, signal }: FollowOptions,
  scope: SessionScope,
  context: RuntimeContext,
): Promise<AgentEventSubscription> {
  const { agentEvents, runStore, store, liveRuns } = context
  if (agentEvents === undefined) throw new UnsupportedError('following a run', 'a manager without `agentEventStore`')
  const run = await runStore.readRun(runId)
  const session = run && (await store.read(run.sessionId, scope))
  if (run === undefined || session === undefined) throw new RunNotFoundError(runId)
  // Otherwise nobody would write the end that the follower waits for.
  if (run.finishedAt !== null && !liveRuns.has(runId)) await closeLog(run, { ...context, agentEvents })
  return agentEvents.log.subscribe(runId, after, signal)
}
