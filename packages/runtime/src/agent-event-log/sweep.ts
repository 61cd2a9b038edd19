import {
  type AgentEvent,
  agentEventMaxAgeCode,
  type AgentEventRunCursor,
  type AgentEventStore,
  checkAgentEventTime,
} from '@daybook/core'
import { checkWhole } from '../check-arguments.ts'
import { isEnd } from './log-writer.ts'
import type { RecordOutcome } from './record-outcome.ts'

export interface SweepOptions {
  /** By the caller's clock, in ms since 1970. */
  readonly now: number
  /** How long finished runs are kept. Default `AGENT_EVENT_TTL_MS`. */
  readonly ttlMs?: number
  /** How old an unfinished run is when it counts as abandoned. Default the log's `maxAgeMs`. */
  readonly maxAgeMs?: number
  /** At most so many runs are looked at. Default 1000. */
  readonly limit?: number
  /** Once it is aborted no further run is begun with. */
  readonly signal?: AbortSignal
  /** Where the sweep before this one stopped. */
  readonly after?: SweepCursor
}

export interface SweepCursor extends AgentEventRunCursor {
  readonly finished: boolean
}

export interface SweepReport {
  /** How many logs this call removed. */
  readonly removed: number
  /** What could not be removed. It stays, is tried again by the next sweep, and keeps no other one back. */
  readonly failed: readonly { readonly runId: string; readonly error: unknown }[]
  /** Where to go on when the limit or the signal ended the call; null when all was seen. */
  readonly next: SweepCursor | null
}

export interface SweepContext {
  readonly store: AgentEventStore
  readonly isSpared: (runId: string) => Promise<boolean>
  readonly record: (runId: string, event: AgentEvent, now: number) => Promise<RecordOutcome>
}

const pageItems = 100
const maxAgeExceeded: AgentEvent = { type: 'RUN_ERROR', message: 'run exceeded max age', code: agentEventMaxAgeCode }

/** Removes logs whose time is over. Throws `InvalidInputError`, and what the store throws when runs are listed. */
export async function sweepRuns(
  context: SweepContext,
  {
    now,
    ttlMs,
    maxAgeMs,
    limit = 1000,
    signal,
    after,
  }: SweepOptions & { readonly ttlMs: number; readonly maxAgeMs: number },
): Promise<SweepReport> {
  checkAgentEventTime('now', now)
  checkWhole('limit', limit, 1)
  const finishedUntil = now - checkWhole('ttlMs', ttlMs, 0)
  const openedUntil = now - checkWhole('maxAgeMs', maxAgeMs, 0)
  const failed: { runId: string; error: unknown }[] = []
  let [removed, tried] = [0, 0]
  for (let place = after ?? startOf(true); ;) {
    const { finished, at, runId } = place
    const until = finished ? finishedUntil : openedUntil
    const page = await context.store.listRuns({ finished, until, after: { at, runId }, limit: pageItems })
    for (const { runId, openedAt, finishedAt } of page.items) {
      if (tried === limit || signal?.aborted === true) return { removed, failed, next: place }
      place = { finished, at: finishedAt ?? openedAt ?? null, runId }
      tried++
      try {
        if (await removeIfDue(context, runId, finished, until, now)) removed++
      } catch (error) {
        failed.push({ runId, error })
      }
    }
    if (page.next !== null) continue
    if (!finished) return { removed, failed, next: null }
    place = startOf(false)
  }
}

function startOf(finished: boolean): SweepCursor {
  return { finished, at: null, runId: '' }
}

/** False when the run is left to whoever claimed it, or is not, or no longer, to be removed. */
async function removeIfDue(
  { store, isSpared, record }: SweepContext,
  runId: string,
  finished: boolean,
  until: number,
  now: number,
): Promise<boolean> {
  if (await isSpared(runId)) return false
  if (!(await store.claim(runId, now))) return false
  // Since it was listed it may have been finished, or removed and opened again.
  const header = await store.readHeader(runId)
  if (header === undefined || (header.finishedAt !== undefined) !== finished) return false
  if ((header.finishedAt ?? header.openedAt ?? until) > until) return false
  if (!finished) {
    try {
      const outcome = await record(runId, maxAgeExceeded, now)
      if (outcome.outcome === 'lost') throw outcome.error
    } catch (error) {
      if (isEnd(error)) return false
      throw error
    }
  }
  return store.remove(runId)
}
