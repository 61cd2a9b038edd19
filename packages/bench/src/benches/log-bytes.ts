import { openSqlite } from '@daybook/storage'
import type { BenchResult } from '../measure/result.ts'
import { fileBytes } from '../measure/file-bytes.ts'
import { withTemporaryFolder } from '../measure/temporary-folder.ts'
import { openManager } from './open-manager.ts'
import { streamingBackend } from './streaming-backend.ts'

const turns = 100
const deltas = 1000
const deltaLength = 5
const msPerDelta = 10

/** What is stored of texts that come in 1,000 deltas of five characters each, 100 a second by the clock of their turns. */
export async function logBytes(): Promise<BenchResult[]> {
  return withTemporaryFolder(async (root) => {
    const storage = openSqlite(root, { durability: 'normal' })
    let time = Date.now()
    const manager = openManager(
      storage,
      // The turns go on in step, by one clock.
      streamingBackend({
        deltas,
        text: 'x'.repeat(deltas * deltaLength),
        onDelta: () => (time += msPerDelta / turns),
      }),
      // Without timers, how fast this machine is changes nothing.
      { agentEventStore: storage.agentEvents, now: () => Math.floor(time), startTimer: () => () => {} },
    )
    await Promise.all(
      Array.from({ length: turns }, async () => {
        const { id } = await manager.createSession({ backend: 'scripted' })
        const { finished } = await manager.startTurn(id, { text: 'go on' })
        await finished
      }),
    )
    await manager.close()
    storage.close()
    const { all, ledgerPayload, log, logPayload, logRows } = fileBytes(root)
    const name = `1,000 deltas of ${deltaLength} characters, 100 a second`
    return [
      { name: `${name}: rows of the delivery log`, value: logRows / turns, unit: 'rows' },
      { name: `${name}: bytes of the delivery log on disk`, value: log / turns, unit: 'bytes' },
      {
        name: `${name}: bytes on disk per payload byte, of ledger and log`,
        value: all / (ledgerPayload + logPayload),
        unit: '×',
        target: { atMost: 3 },
      },
      { name: `${name}: bytes on disk per payload byte of the ledger`, value: all / ledgerPayload, unit: '×' },
    ]
  })
}
