import type { RunRecord } from '@daybook/core'
import type { RuntimeContext } from '../session/runtime-context.ts'

/** Where a run begins in its session. */
export async function firstSeq(
  { runId }: RunRecord,
  { runtimeEventStore }: Pick<RuntimeContext, 'runtimeEventStore'>,
): Promise<number> {
  const { items } = await runtimeEventStore.readRunRuntimeEvents(runId, { limit: 1 })
  return items[0]?.sessionSeq ?? Infinity
}
