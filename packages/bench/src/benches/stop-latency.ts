import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { openSqlite } from '@daybook/storage'
import { monotonicMs } from '../measure/monotonic.ts'
import { percentile } from '../measure/percentile.ts'
import type { BenchResult } from '../measure/result.ts'
import { withTemporaryFolder } from '../measure/temporary-folder.ts'
import { nextMessage, startProcess } from '../processes/bench-process.ts'
import type { StopperInput, StopTimes } from '../processes/stopper-process.ts'
import { openManager } from './open-manager.ts'
import { waitingBackend } from './waiting-backend.ts'

const rounds = 200
/** Longer than the time between two looks for requests, so that each round hits another part of it. */
const maxPauseMs = 50

/** From `stopSession` in one process to the backend's stop in another, and to the durable end. */
export async function stopLatency(): Promise<BenchResult[]> {
  return withTemporaryFolder(async (root) => {
    const storage = openSqlite(root)
    let inTool = (): void => {}
    let stoppedAt = 0
    const backend = waitingBackend({ onTool: () => inTool(), onStop: () => (stoppedAt = monotonicMs()) })
    const manager = openManager(storage, backend)
    const stopper = startProcess(new URL('../processes/stopper-process.ts', import.meta.url), {
      root,
    } satisfies StopperInput)
    const toStop: number[] = []
    const toEnd: number[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const { id } = await manager.createSession({ backend: 'scripted' })
      const reached = new Promise<void>((resolve) => (inTool = resolve))
      const { finished } = await manager.startTurn(id, { text: 'go on' })
      await reached
      await delay(Math.random() * maxPauseMs)
      stopper.send(id)
      const { calledAt, endedAt } = await nextMessage<StopTimes>(stopper)
      await finished
      // In the first round code is compiled.
      if (round === 0) continue
      toStop.push(stoppedAt - calledAt)
      toEnd.push(endedAt - calledAt)
    }
    stopper.disconnect()
    await once(stopper, 'exit')
    await manager.close()
    storage.close()
    return [
      {
        name: 'stop from another process to the backend, p50',
        value: percentile(toStop, 0.5),
        unit: 'ms',
        target: { atMost: 50 },
      },
      { name: 'stop from another process to the backend, p99', value: percentile(toStop, 0.99), unit: 'ms' },
      { name: 'stop from another process to the durable end, p50', value: percentile(toEnd, 0.5), unit: 'ms' },
      { name: 'stop from another process to the durable end, p99', value: percentile(toEnd, 0.99), unit: 'ms' },
    ]
  })
}
