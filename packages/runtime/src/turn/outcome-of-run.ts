import type { InvocationCursor, RunRecord, RuntimeEventStore } from '@daybook/core'
import { invocationState } from '@daybook/core/runtime-invocation'
import type { TurnOutcome } from './turn-outcome.ts'

/** How a run ended, by the index of its session, where it is among the newest; undefined when it was removed. */
export async function outcomeOfRun(
  { sessionId, turnId, runId, invocationId }: RunRecord,
  store: RuntimeEventStore,
): Promise<TurnOutcome | undefined> {
  for (let before: InvocationCursor | null | undefined; before !== null;) {
    const page = await store.listSessionInvocationsPage(sessionId, { limit: 10, ...(before && { before }) })
    const found = page.items.find((one) => one.invocationId === invocationId)
    if (found !== undefined) {
      const ending = found.terminalEvent?.actions?.ending
      return { turnId, runId, invocationId, state: invocationState(found), ...(ending && { ending }) }
    }
    before = page.next
  }
  return undefined
}
