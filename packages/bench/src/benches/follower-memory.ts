import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createMemoryAgentEventLog } from '@daybook/runtime/agent-event-log'
import { createSqliteAgentEventStore } from '@daybook/storage/agent-event-store'
import { interleave } from '../measure/interleave.ts'
import type { BenchResult } from '../measure/result.ts'
import { withTemporaryFolder } from '../measure/temporary-folder.ts'

const rounds = 5
const followers = 2000

/** What one follower holds that has seen all rows and waits for the next: one of many of a run, and the only one of its run. */
export async function followerMemory(): Promise<BenchResult[]> {
  const figures = await interleave(rounds, {
    ofOneRun: () => followerBytes(1),
    ofOwnRuns: () => followerBytes(followers),
  })
  const name = `one of ${followers.toLocaleString('en')} idle followers`
  return [
    { name: `${name}, all of one run`, value: figures.ofOneRun / 1024, unit: 'KiB', target: { atMost: 10 } },
    { name: `${name}, each of its own run`, value: figures.ofOwnRuns / 1024, unit: 'KiB', target: { atMost: 10 } },
  ]
}

async function followerBytes(runs: number): Promise<number> {
  return withTemporaryFolder(async (root) => {
    const store = createSqliteAgentEventStore(root, { durability: 'normal' })
    const event = { type: 'RUN_STARTED' }
    const runIds = Array.from({ length: runs }, (_, index) => `run-${index}`)
    const header = { threadId: 'thread', tenant: null, gates: [], userId: null, operatorId: null }
    await Promise.all(
      runIds.map(async (runId) => {
        await store.writeHeader({ runId, ...header })
        await store.append(runId, { seq: 1, event })
      }),
    )
    const log = createMemoryAgentEventLog(store)
    const before = await bytesInUse()
    const waiting = await Promise.all(
      Array.from({ length: followers }, async (_, index) => {
        const subscription = log.subscribe(runIds[index % runs]!, 0)
        await subscription.next()
        return { subscription, next: subscription.next() }
      }),
    )
    const bytes = (await bytesInUse()) - before
    await log.close()
    for (const { next } of waiting) if ((await next).done !== true) throw new Error('there was another row')
    store.close?.()
    return bytes / followers
  })
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Of the heap, and of what it refers to outside of it. */
async function bytesInUse(): Promise<number> {
  // What waits for its turn is still held.
  for (let turn = 0; turn < 10; turn += 1) await nextTurn()
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
