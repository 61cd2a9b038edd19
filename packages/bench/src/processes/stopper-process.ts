/** Stops each session whose id it is sent, and says when it called and when the end was durable. */
import { openSqlite } from '@daybook/storage'
import { openManager } from '../benches/open-manager.ts'
import { waitingBackend } from '../benches/waiting-backend.ts'
import { monotonicMs } from '../measure/monotonic.ts'

export interface StopperInput {
  readonly root: string
}

/** By `monotonicMs`. */
export interface StopTimes {
  readonly calledAt: number
  readonly endedAt: number
}

const { root } = JSON.parse(process.argv[2] ?? '') as StopperInput
const manager = openManager(openSqlite(root), waitingBackend())

async function stop(sessionId: string): Promise<void> {
  const calledAt = monotonicMs()
  await manager.stopSession(sessionId)
  process.send?.({ calledAt, endedAt: monotonicMs() } satisfies StopTimes)
}

process.on('message', (sessionId) => void stop(sessionId as string))
process.on('disconnect', () => process.exit())
