import type { AgentEventStore } from '@daybook/core'
import { createMemoryAgentEventLog } from '@daybook/runtime/agent-event-log'
import { createSqliteAgentEventStore } from '@daybook/storage/agent-event-store'
import { interleave } from '../measure/interleave.ts'
import { median } from '../measure/median.ts'
import type { BenchResult } from '../measure/result.ts'
import { withTemporaryFolder } from '../measure/temporary-folder.ts'

const rounds = 5
const short = 1000
const long = 100_000
/** A round replays the short log so often. */
const shortReplays = 10
const rowsAtOnce = 1000

/** Joining a run that goes on, at its first row, up to where it has come: of 1,000 rows, and of 100,000. */
export async function replayTime(): Promise<BenchResult[]> {
  return withTemporaryFolder(async (root) => {
    const store = createSqliteAgentEventStore(root, { durability: 'normal' })
    await writeLog(store, 'short', short)
    await writeLog(store, 'long', long)
    const replayMs = async (runId: string, rows: number): Promise<number> => {
      const log = createMemoryAgentEventLog(store)
      const started = performance.now()
      for await (const { seq } of log.subscribe(runId, 0)) if (seq === rows) break
      return performance.now() - started
    }
    const figures = await interleave(rounds, {
      short: async () => {
        const elapsedMs: number[] = []
        for (let replay = 0; replay < shortReplays; replay += 1) elapsedMs.push(await replayMs('short', short))
        return median(elapsedMs)
      },
      long: () => replayMs('long', long),
    })
    store.close?.()
    return [
      { name: 'joining a run of 1,000 rows, to the newest', value: figures.short, unit: 'ms' },
      { name: 'joining a run of 100,000 rows, to the newest', value: figures.long, unit: 'ms' },
      {
        name: 'joining a run, for each row, 100,000 rows against 1,000',
        value: figures.long / long / (figures.short / short),
        unit: '×',
        target: { atMost: 3 },
      },
    ]
  })
}

async function writeLog(store: AgentEventStore, runId: string, rows: number): Promise<void> {
  await store.writeHeader({ runId, threadId: 'thread', tenant: null, gates: [], userId: null, operatorId: null })
  const event = { type: 'TEXT_MESSAGE_CONTENT', messageId: `${runId}:text:message`, delta: 'x'.repeat(100) }
  for (let last = 0; last < rows; last += rowsAtOnce) {
    await Promise.all(
      Array.from({ length: rowsAtOnce }, (_, index) => store.append(runId, { seq: last + index + 1, event })),
    )
  }
}
