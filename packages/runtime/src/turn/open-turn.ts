import type { AgentRunStore, OpenRunRequest, RunRecord, SessionRecord, TurnExistsError } from '@daybook/core'
import { codeOf, isOutcomeUnknown, writeWithRetries } from '../ledger/write.ts'
import type { RuntimeContext } from '../session/runtime-context.ts'
import type { OpenedTurn } from './drive-turn.ts'
import { openingEvents } from './opening-events.ts'
import type { CheckedMessage } from './turn-message.ts'

/**
 * Writes the run, its opening and the user's text. A run that nobody drives any more is ended first.
 * Throws `TurnExistsError`, `SessionBusyError`, `SessionNotFoundError`, and what the store throws; nothing is written then.
 */
export async function openTurn(
  session: SessionRecord,
  message: CheckedMessage,
  context: RuntimeContext,
): Promise<OpenedTurn> {
  const { turnId, inputDigest, text } = message
  const ids = { sessionId: session.id, turnId, runId: context.newId(), invocationId: context.newId() }
  const events = openingEvents(session, text, ids, context)
  const { owner, leaseMs } = context
  const request: OpenRunRequest = { ...ids, exclusive: true, inputDigest, owner, leaseMs, events }
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
    const isOpen = codeOf(error) === 'TURN_EXISTS' && (error as TurnExistsError).runId === request.runId
    const run = isOpen ? await runStore.readRun(request.runId) : undefined
    if (run === undefined) throw error
    return run
  }
}
