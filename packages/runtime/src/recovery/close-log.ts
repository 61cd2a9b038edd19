import {
  type AgentEvent,
  agentEventNames,
  agentEventsOf,
  agentEventsOfFailure,
  agentEventsOfStart,
  type Clock,
  gapMarker,
  type RequestRecord,
  type RunRecord,
  type RuntimeEventStore,
  setRequestExpiry,
  type ToldRun,
  trackAgentEvent,
} from '@daybook/core'
import { runEventPages } from '../ledger/run-events.ts'
import { endingRows, isChangedLog, readStoredLog } from '../ledger/stored-log.ts'
import type { DeliveryLogs } from '../ledger/turn-log.ts'
import { writeWithRetries } from '../ledger/write.ts'
import { outcomeOfRun } from '../turn/outcome-of-run.ts'
import type { TurnOutcome } from '../turn/turn-outcome.ts'

export interface CloseLogContext {
  readonly runtimeEventStore: RuntimeEventStore
  readonly agentEvents: DeliveryLogs
  readonly now: Clock
}

/**
 * Ends the log of a run that has ended, where its writer could write the terminal event to the ledger alone. Does nothing
 * where the log has ended, or is gone.
 */
export async function closeLog(run: RunRecord, context: CloseLogContext): Promise<void> {
  const { runtimeEventStore, agentEvents, now } = context
  const { runId, invocationId, epoch } = run
  const { store, log } = agentEvents
  const header = await store.readHeader(runId)
  if (header === undefined || header.finishedAt !== undefined) return
  await log.flush(runId).catch(() => {})
  const outcome = await outcomeOfRun(run, runtimeEventStore)
  const stored = await readStoredLog(store, runId)
  // Another process may have ended it, or removed it, since the header was read.
  if (outcome === undefined || stored === undefined || stored.told.isEnded) return
  const { told } = stored
  const start = agentEventsOfStart(told, now())
  // Its end is missing, and maybe more before that.
  const missing = gapMarker({ reason: 'store_failed', dropped: 1 })
  for (const { requestId, kind, payload, toolCallId, expiresAt } of await requestsOf(run, runtimeEventStore)) {
    const value = { requestId, kind, payload, ...(toolCallId != null && { toolCallId }) }
    trackAgentEvent(told, { type: 'CUSTOM', name: agentEventNames.request, value })
    if (expiresAt !== null) setRequestExpiry(told, requestId, expiresAt)
  }
  const events = [...start, missing, ...endOf(told, outcome, now())]
  const rows = endingRows(stored, events, now())
  const { items } = await runtimeEventStore.readRunRuntimeEvents(runId, { limit: 1 })
  const opening = items.map(({ event }) => event)
  try {
    // A repeated event writes nothing to the ledger, so that all rows come in one transaction, or none.
    await writeWithRetries(() =>
      runtimeEventStore.append({ invocationId, epoch, events: opening, agentEvents: { rows } }),
    )
  } catch (error) {
    // Another process did it.
    if (!isChangedLog(error)) throw error
  }
}

/** What the run asked, save for what its backend has said is answered. */
async function requestsOf(
  { runId, sessionId, turnId }: RunRecord,
  store: RuntimeEventStore,
): Promise<readonly RequestRecord[]> {
  const asked = (await store.listTurnRequests(sessionId, turnId)).filter((request) => request.runId === runId)
  if (asked.length === 0) return []
  const answered = new Set<string | undefined>()
  for await (const events of runEventPages(store, runId)) {
    for (const { event } of events) answered.add(event.actions?.answerAck?.requestId)
  }
  return asked.filter(({ requestId }) => !answered.has(requestId))
}

function endOf(told: ToldRun, { turnId, state, ending }: TurnOutcome, ts: number): readonly AgentEvent[] {
  const base = { id: '', turnId, ts }
  switch (state) {
    case 'completed':
      return agentEventsOf(told, { ...base, type: 'complete', stopReason: ending?.stopReason ?? 'end_turn' })
    case 'waiting':
      return agentEventsOf(told, { ...base, type: 'complete', stopReason: 'waiting' })
    case 'aborted':
    case 'cancelled':
      return agentEventsOf(told, { ...base, type: 'abort', source: ending?.abortSource ?? 'user' })
    default: {
      const code = ending?.failureCode ?? 'error'
      return agentEventsOfFailure(told, { code, message: `The run failed: ${code}.` }, ts)
    }
  }
}
