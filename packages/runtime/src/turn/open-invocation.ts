import type { AgentRunStore, OpenRunRequest, RunExistsError, RunRecord, TurnExistsError } from '@daybook/core'
import { codeOf, isOutcomeUnknown, writeWithRetries } from '../ledger/write.ts'
import type { RuntimeContext } from '../session/runtime-context.ts'

export type Opening = Pick<OpenRunRequest, 'sessionId' | 'turnId' | 'runId' | 'invocationId' | 'inputDigest' | 'events'>

/**
 * Writes a run with its first events, for this process to drive. A run of the session that nobody drives any more is
 * ended first. Throws what `openRun` throws; nothing is written then.
 */
export async function openInvocation(opening: Opening, context: RuntimeContext): Promise<RunRecord> {
  const { owner, leaseMs, recovery, runStore } = context
  const { sessionId, runId } = opening
  const request: OpenRunRequest = { ...opening, exclusive: true, owner, leaseMs }
  return recovery.unlessBusy(sessionId, async () => {
    try {
      return await writeWithRetries(() => openOnce(request, runStore))
    } catch (error) {
      if (isOutcomeUnknown(error)) recovery.leave(sessionId, runId)
      throw error
    }
  })
}

/** Opens the run, or finds it when an attempt whose outcome was unknown did open it. */
async function openOnce(request: OpenRunRequest, runStore: AgentRunStore): Promise<RunRecord> {
  try {
    return await runStore.openRun(request)
  } catch (error) {
    const run = isAboutRun(error) && error.runId === request.runId ? await runStore.readRun(request.runId) : undefined
    if (run === undefined) throw error
    return run
  }
}

function isAboutRun(error: unknown): error is TurnExistsError | RunExistsError {
  const code = codeOf(error)
  return code === 'TURN_EXISTS' || code === 'RUN_EXISTS'
}
