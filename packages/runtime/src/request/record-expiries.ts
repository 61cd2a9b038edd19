import { nextInvocationStep, type RequestRecord } from '@daybook/core'
import type { FailedRecovery } from '../recovery/recovery-report.ts'
import type { RuntimeContext } from '../session/runtime-context.ts'
import { expiredAnswer } from './continuation-events.ts'
import { recordContinuation } from './open-continuation.ts'
import { readPausedTurn } from './paused-turn.ts'

export interface ExpiryReport {
  /** How many requests were closed as expired. */
  readonly expired: number
  readonly failed: readonly FailedRecovery[]
}

const pageItems = 256

/** Closes what turns that wait asked and nobody answered in time, of at most `limit` turns. Runs no model. */
export async function recordExpiries(
  limit: number,
  signal: AbortSignal | undefined,
  context: RuntimeContext,
): Promise<ExpiryReport> {
  const failed: FailedRecovery[] = []
  const tried = new Set<string>()
  let expired = 0
  for (let more = true; more;) {
    const page = await context.runtimeEventStore.listExpiredRequests({ limit: pageItems })
    more = false
    for (const [turn, requests] of Map.groupBy(page, turnOf)) {
      if (tried.has(turn)) continue
      if (tried.size >= limit || signal?.aborted) return { expired, failed }
      tried.add(turn)
      more = true
      try {
        expired += await recordExpired(requests, context)
      } catch (error) {
        const [{ sessionId, runId }] = requests as [RequestRecord]
        failed.push({ sessionId, runId, error })
      }
    }
  }
  return { expired, failed }
}

function turnOf({ sessionId, turnId }: RequestRecord): string {
  return JSON.stringify([sessionId, turnId])
}

/** How many were recorded: none where the turn went on meanwhile. */
async function recordExpired(requests: readonly RequestRecord[], context: RuntimeContext): Promise<number> {
  const [{ sessionId, turnId }] = requests as [RequestRecord]
  const newest = await context.runStore.readNewestRun(sessionId)
  if (newest?.turnId !== turnId || nextInvocationStep(newest.state, 'answered').effect !== 'open_continuation') return 0
  const paused = await readPausedTurn(newest, context)
  await recordContinuation(paused, requests.map(expiredAnswer), 'waiting', context)
  return requests.length
}
