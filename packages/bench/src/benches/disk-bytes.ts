import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { OPERATIONAL_STATE_DATABASE_NAME } from '@daybook/storage/operational-state-store'
import type { BenchResult } from '../measure/result.ts'
import { withTemporaryFolder } from '../measure/temporary-folder.ts'
import { managedAppendsPerSecond } from './managed-appends.ts'

/** Bytes of the file, after a checkpoint, for each byte of event payload in it; ids are UUIDs. */
export async function diskBytes(): Promise<BenchResult[]> {
  return withTemporaryFolder(async (root) => {
    await managedAppendsPerSecond(root, {
      concurrentRuns: 64,
      runsInARow: 8,
      factsPerRun: 20,
      textBytes: 300,
    })
    const file = join(root, OPERATIONAL_STATE_DATABASE_NAME)
    const database = new Database(file)
    database.pragma('wal_checkpoint(TRUNCATE)')
    const payload = database
      .prepare<[], { bytes: number }>('SELECT sum(length(CAST(payload_json AS BLOB))) AS bytes FROM runtime_events')
      .get()
    database.close()
    const { size } = await stat(file)
    const ratio = size / (payload?.bytes ?? 0)
    return [{ name: 'bytes on disk per payload byte', value: ratio, unit: '×', target: { atMost: 2.2 } }]
  })
}
