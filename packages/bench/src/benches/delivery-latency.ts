import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { AgentEventStore } from '@daybook/core'
import { type AgentEventLog, createMemoryAgentEventLog } from '@daybook/runtime/agent-event-log'
import { createMemoryAgentEventStore, createSqliteAgentEventStore } from '@daybook/storage/agent-event-store'
import { monotonicMs } from '../measure/monotonic.ts'
import { percentile } from '../measure/percentile.ts'
import type { BenchResult } from '../measure/result.ts'
import { withTemporaryFolder } from '../measure/temporary-folder.ts'
import { nextMessage, startProcess } from '../processes/bench-process.ts'
import type { DeliveryTimes, FollowerInput } from '../processes/follower-process.ts'

const rows = 400
/** Longer than any pause between two looks for what other processes wrote, so that each row hits another part of it. */
const maxPauseMs = 20
const runId = 'run'

/** Follows the run: `begun` once the first row has come, `delivered` when all have. */
type Follow = (log: AgentEventLog) => { readonly begun: Promise<unknown>; readonly delivered: Promise<DeliveryTimes> }

/** From the commit of a row to its delivery to who follows: in this process, and in another one. */
export async function deliveryLatency(): Promise<BenchResult[]> {
  const inMemory = await latencies(createMemoryAgentEventStore(), followHere)
  const onSqlite = await withSqlite((store) => latencies(store, followHere))
  const elsewhere = await withSqlite((store, root) => latencies(store, followElsewhere(root)))
  return [
    ...figures('commit to delivery in one process, memory', inMemory, 1),
    ...figures('commit to delivery in one process, SQLite', onSqlite, 1),
    ...figures('commit to delivery in another process, SQLite', elsewhere, 10),
  ]
}

function figures(name: string, elapsedMs: readonly number[], atMost: number): BenchResult[] {
  return [
    { name: `${name}, p50`, value: percentile(elapsedMs, 0.5), unit: 'ms', target: { atMost } },
    { name: `${name}, p99`, value: percentile(elapsedMs, 0.99), unit: 'ms' },
  ]
}

async function latencies(store: AgentEventStore, follow: Follow): Promise<number[]> {
  const log = createMemoryAgentEventLog(store)
  await log.open({ runId, threadId: 'thread', tenant: null, gates: [], userId: null, operatorId: null })
  const committedAt: number[] = []
  // Who watches from the beginning is told first, right after the commit.
  const unwatch = store.watch!(runId, () => (committedAt[recorded] ??= monotonicMs()))
  let recorded = 0
  const record = async (event: { readonly type: string }): Promise<void> => {
    await log.record(runId, event, Date.now())
    recorded += 1
  }
  await record({ type: 'RUN_STARTED' })
  const { begun, delivered } = follow(log)
  await begun
  for (let row = 0; row < rows; row += 1) {
    await delay(Math.random() * maxPauseMs)
    await record({ type: 'STEP_STARTED' })
  }
  await record({ type: 'RUN_FINISHED' })
  const deliveredAt = await delivered
  unwatch()
  await log.close()
  if (deliveredAt.length !== recorded) throw new Error(`${deliveredAt.length} of ${recorded} rows were delivered`)
  return deliveredAt.map((at, row) => at - committedAt[row]!).slice(1, -1)
}

const followHere: Follow = (log) => {
  const { promise: begun, resolve } = Promise.withResolvers<void>()
  const read = async (): Promise<DeliveryTimes> => {
    const deliveredAt: number[] = []
    for await (const _row of log.subscribe(runId, 0)) {
      deliveredAt.push(monotonicMs())
      resolve()
    }
    return deliveredAt
  }
  return { begun, delivered: read() }
}

function followElsewhere(root: string): Follow {
  return () => {
    const input: FollowerInput = { root, runId }
    const child = startProcess(new URL('../processes/follower-process.ts', import.meta.url), input)
    const begun = nextMessage(child)
    const read = async (): Promise<DeliveryTimes> => {
      await begun
      const deliveredAt = await nextMessage<DeliveryTimes>(child)
      child.disconnect()
      await once(child, 'exit')
      return deliveredAt
    }
    return { begun, delivered: read() }
  }
}

async function withSqlite<Result>(use: (store: AgentEventStore, root: string) => Promise<Result>): Promise<Result> {
  return withTemporaryFolder(async (root) => {
    const store = createSqliteAgentEventStore(root)
    const result = await use(store, root)
    store.close?.()
    return result
  })
}
