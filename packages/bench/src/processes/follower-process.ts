/** Follows a run to its end, says so once it has begun, and then when each of its rows came. */
import { createMemoryAgentEventLog } from '@daybook/runtime/agent-event-log'
import { createSqliteAgentEventStore } from '@daybook/storage/agent-event-store'
import { monotonicMs } from '../measure/monotonic.ts'

export interface FollowerInput {
  readonly root: string
  readonly runId: string
}

/** By `monotonicMs`, in the order of the rows. */
export type DeliveryTimes = readonly number[]

const { root, runId } = JSON.parse(process.argv[2] ?? '') as FollowerInput
const log = createMemoryAgentEventLog(createSqliteAgentEventStore(root))
process.on('disconnect', () => process.exit())
const deliveredAt: number[] = []
for await (const { seq } of log.subscribe(runId, 0)) {
  deliveredAt.push(monotonicMs())
  if (seq === 1) process.send?.('following')
}
process.send?.(deliveredAt satisfies DeliveryTimes)
