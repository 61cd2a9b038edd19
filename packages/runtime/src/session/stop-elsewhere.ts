import { type RunRecord, StopPendingError } from '@daybook/core'
import { codeOf, writeWithRetries } from '../ledger/write.ts'
import { stopPollMs } from '../turn/live-runs.ts'
import { outcomeOfRun } from '../turn/outcome-of-run.ts'
import type { TurnOutcome } from '../turn/turn-outcome.ts'
import type { RuntimeContext } from './runtime-context.ts'

/**
 * Stops a run that this session manager does not drive, and resolves once its terminal event is durable. The request is
 * stored for its owner; when that is dead, or its lease expires meanwhile, the run is ended here. Throws
 * `StopPendingError` after `stopWaitMs`: the request stays. Undefined when the run was removed.
 */
export async function stopElsewhere(
  { runId }: RunRecord,
  by: string,
  context: RuntimeContext,
): Promise<TurnOutcome | undefined> {
  const { runStore, runtimeEventStore, recovery, startTimer, stopWaitMs } = context
  let isTimeUp = false
  const cancel = startTimer(() => (isTimeUp = true), stopWaitMs)
  // The timers of the runtime let a process end; here its caller waits.
  const staysAlive = setInterval(() => {}, stopWaitMs)
  try {
    await recovery.endIfOrphaned(runId)
    let run = await unlessRemoved(writeWithRetries(() => runStore.requestStop({ runId, by })))
    while (run !== undefined && run.finishedAt === null) {
      if (isTimeUp) throw new StopPendingError(runId, stopWaitMs)
      const end = await recovery.endIfOrphaned(runId)
      if (end === 'owned') await new Promise<void>((resolve) => startTimer(resolve, stopPollMs))
      run = await runStore.readRun(runId)
    }
    return run && (await outcomeOfRun(run, runtimeEventStore))
  } finally {
    clearInterval(staysAlive)
    cancel()
  }
}

async function unlessRemoved(run: Promise<RunRecord>): Promise<RunRecord | undefined> {
  try {
    return await run
  } catch (error) {
    if (codeOf(error) === 'RUN_NOT_FOUND') return undefined
    throw error
  }
}
