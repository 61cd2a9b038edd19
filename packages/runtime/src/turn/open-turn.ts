import type { AgentRunStore, OpenRunRequest, RunOwner, RunRecord, SessionRecord } from '@daybook/core'
import { hasRunOf, isOutcomeUnknown, writeWithRetries } from '../ledger/write.ts'
import type { RunRecovery } from '../recovery/run-recovery.ts'
import type { OpenedTurn } from './drive-turn.ts'
import { openingEvents } from './opening-events.ts'
import type { Stamp } from './stamp.ts'
import type { CheckedMessage } from './turn-message.ts'

export interface OpenContext extends Stamp {
  readonly runStore: AgentRunStore
  readonly owner: RunOwner
  readonly recovery: RunRecovery
}

/**
 * Writes the run, its opening and the user's text. A run that nobody drives any more is ended first.
 * Throws `TurnExistsError`, `SessionBusyError`, `SessionNotFoundError`, and what the store throws; nothing is written then.
 */
export async function openTurn(
  session: SessionRecord,
  message: CheckedMessage,
  context: OpenContext,
): Promise<OpenedTurn> {
  const { turnId, inputDigest, text } = message
  const ids = { sessionId: session.id, turnId, runId: context.newId(), invocationId: context.newId() }
  const events = openingEvents(session, text, ids, context)
  const request: OpenRunRequest = { ...ids, exclusive: true, inputDigest, owner: context.owner, events }
  const open = async (): Promise<RunRecord> => {
    try {
      return await writeWithRetries(() => openOnce(request, context.runStore))
    } catch (error) {
      if (isOutcomeUnknown(error)) context.recovery.leave(session.id, request.runId)
      throw error
    }
  }
  return { session, text, run: await context.recovery.unlessBusy(session.id, open) }
}

/** Opens the run, or finds it when an attempt whose outcome was unknown did open it. */
async function openOnce(request: OpenRunRequest, runStore: AgentRunStore): Promise<RunRecord> {
  try {
    return await runStore.openRun(request)
  } catch (error) {
    if (!hasRunOf(error, 'TURN_EXISTS') || error.runId !== request.runId) throw error
    const run = await runStore.readRun(request.runId)
    if (run === undefined) throw error
    return run
  }
}
