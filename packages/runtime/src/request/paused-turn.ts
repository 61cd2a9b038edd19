import type { OpenItems, RequestRecord, RunRecord, SessionScope } from '@daybook/core'
import { TurnLedger } from '../ledger/turn-ledger.ts'
import type { RuntimeContext } from '../session/runtime-context.ts'
import { attemptUpTo } from '../turn/attempt.ts'

type Stores = Pick<RuntimeContext, 'runStore' | 'runtimeEventStore'>

/** A turn that has ended as waiting, or was interrupted, as it is stored. */
export interface PausedTurn {
  /** The last invocation of the newest attempt at it. */
  readonly newest: RunRecord
  readonly openItems: OpenItems
  /** Everything that was asked in this attempt, in the order of the ledger. */
  readonly requests: readonly RequestRecord[]
}

export async function readPausedTurn(newest: RunRecord, stores: Stores): Promise<PausedTurn> {
  const ledger = new TurnLedger(stores, newest)
  await ledger.readBack()
  return { newest, openItems: ledger.openItems, requests: await requestsOfAttempt(newest, stores) }
}

/** Everything that was asked in an attempt up to this run, in the order of the ledger. */
export async function requestsOfAttempt(
  run: RunRecord,
  { runStore, runtimeEventStore }: Stores,
): Promise<readonly RequestRecord[]> {
  const attempt = new Set((await attemptUpTo(run, runStore)).map(({ invocationId }) => invocationId))
  const requests = await runtimeEventStore.listTurnRequests(run.sessionId, run.turnId)
  return requests.filter(({ invocationId }) => attempt.has(invocationId))
}

/** The requests that are open, by whether somebody can still answer them. */
export interface OpenRequests {
  readonly answerable: readonly RequestRecord[]
  /** Nobody answered in time, by the clock of the store. */
  readonly expired: readonly RequestRecord[]
}

export async function openRequestsOf(
  { requests, newest: { sessionId } }: PausedTurn,
  scope: SessionScope,
  { runtimeEventStore }: Stores,
): Promise<OpenRequests> {
  const open = requests.filter(({ state }) => state === 'open')
  const answerable = new Set<string>()
  for (let more = open.length > 0, after; more;) {
    const page = await runtimeEventStore.listOpenRequests({ scope, sessionId, ...(after && { after }) })
    for (const { requestId } of page.items) answerable.add(requestId)
    after = page.next
    more = after !== null
  }
  return {
    answerable: open.filter(({ requestId }) => answerable.has(requestId)),
    expired: open.filter(({ requestId }) => !answerable.has(requestId)),
  }
}
