import { nextInvocationStep, type RequestRecord } from '@daybook/core'
import type { FailedRecovery } from '../recovery/recovery-report.ts'
import type { RuntimeContext } from '../session/runtime-context.ts'
import { untilOpened } from '../turn/until-opened.ts'
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
  let [tried, expired] = [0, 0]
  for (let after: RequestRecord | undefined; ;) {
    const page = await context.runtimeEventStore.listExpiredRequests({ limit: pageItems, ...(after && { after }) })
    for (const requests of Map.groupBy(page, turnOf).values()) {
      if (tried >= limit || signal?.aborted) return { expired, failed }
      tried++
      try {
        expired += await untilOpened(() => recordExpired(requests, context))
      } catch (error) {
        const [{ sessionId, runId }] = requests as [RequestRecord]
        failed.push({ sessionId, runId, error })
      }
    }
    if (page.length < pageItems) return { expired, failed }
    after = page.at(-1)
  }
}

function turnOf({ sessionId, turnId }: RequestRecord): string {
  return JSON.stringify([sessionId, turnId])
}

/** Resolves to how many were recorded: none where the turn went on meanwhile, or somebody else recorded them. */
async function recordExpired(
  requests: readonly RequestRecord[],
  context: RuntimeContext,
): Promise<() => Promise<number>> {
  const [{ sessionId, turnId }] = requests as [RequestRecord]
  const nothing = async (): Promise<number> => 0
  const newest = await context.runStore.readNewestRun(sessionId)
  if (newest?.turnId !== turnId) return nothing
  if (nextInvocationStep(newest.state, 'answered').effect !== 'open_continuation') return nothing
  const paused = await readPausedTurn(newest, context)
  const ids = new Set(requests.map(({ requestId }) => requestId))
  const open = paused.requests.filter(({ requestId, state }) => state === 'open' && ids.has(requestId))
  if (open.length === 0) return nothing
  return async () => {
    await recordContinuation(paused, open.map(expiredAnswer), 'waiting', context)
    return open.length
  }
}
