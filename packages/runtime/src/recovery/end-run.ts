import {
  type AgentEvent,
  agentEventsOf,
  agentEventsOfStart,
  type AgentRunStore,
  gapMarker,
  reopenTexts,
  type RunRecord,
  type RuntimeEventStore,
  tellsEveryFact,
  trackAgentEvent,
} from '@daybook/core'
import { type ClosingBatch, closingBatch } from '../ledger/closing-batch.ts'
import { endingRows, isChangedLog, readStoredLog, type StoredLog } from '../ledger/stored-log.ts'
import { TurnLedger } from '../ledger/turn-ledger.ts'
import type { DeliveryLogs } from '../ledger/turn-log.ts'
import { isAboutLog, writeWithRetries } from '../ledger/write.ts'
import { type Failure, failureEvents } from '../turn/failure.ts'
import type { Stamp } from '../turn/stamp.ts'

export interface EndRunContext extends Stamp {
  readonly runStore: AgentRunStore
  readonly runtimeEventStore: RuntimeEventStore
  readonly agentEvents: DeliveryLogs | undefined
}

/** A log that others write to is read again, so often at most: each time they have written more. */
const maxRounds = 20

/**
 * Ends a run that this process has claimed as failed. What its log shows of texts that were not completed is kept in the
 * ledger, and the log ends in the same transaction. A log that cannot be read or written keeps no run from being ended.
 */
export async function endRun(claimed: RunRecord, failure: Failure, context: EndRunContext): Promise<void> {
  const { runtimeEventStore, agentEvents } = context
  const { runId, invocationId, epoch } = claimed
  // What this process itself was about to write is shown too.
  await agentEvents?.log.flush(runId).catch(() => {})
  let isLogUsable = agentEvents !== undefined
  for (let round = 1; ; round++) {
    const stored = isLogUsable ? await readStoredLog(agentEvents!.store, runId).catch(() => undefined) : undefined
    const { batch, missing } = await closingBatchOf(claimed, failure, stored, context)
    const shown =
      stored === undefined ? [] : [...missing, ...batch.events.flatMap((event) => agentEventsOf(stored.told, event))]
    const rows = stored === undefined ? [] : endingRows(stored, shown, context.now())
    const request = { invocationId, epoch, events: batch.facts, ...(rows.length > 0 && { agentEvents: { rows } }) }
    try {
      await writeWithRetries(() => runtimeEventStore.append(request))
      // Of what it holds for the log nothing can be written any more.
      await agentEvents?.log.flush(runId).catch(() => {})
      return
    } catch (error) {
      if (isChangedLog(error) && round < maxRounds) continue
      if (rows.length === 0 || !isAboutLog(error)) throw error
      isLogUsable = false
    }
  }
}

async function closingBatchOf(
  claimed: RunRecord,
  failure: Failure,
  stored: StoredLog | undefined,
  context: EndRunContext,
): Promise<{ readonly batch: ClosingBatch; readonly missing: readonly AgentEvent[] }> {
  const ledger = new TurnLedger(context, claimed)
  const facts = await ledger.readBack()
  if (stored !== undefined) reopenTexts(ledger.openItems, stored.told, facts)
  // What its owner could write last to the ledger alone is missing in the log, and nobody was told.
  const isBehind = stored !== undefined && !tellsEveryFact(stored.told, facts)
  const missing =
    isBehind && !stored.told.isEnded
      ? [...agentEventsOfStart(stored.told), gapMarker({ reason: 'store_failed', dropped: 1 })]
      : []
  for (const event of missing) trackAgentEvent(stored!.told, event)
  const texts = stored === undefined ? 'lost' : stored.isWhole && !isBehind ? 'kept' : 'kept in part'
  const batch = closingBatch(ledger, failureEvents(failure, claimed.turnId, context), texts, context)
  return { batch, missing }
}
