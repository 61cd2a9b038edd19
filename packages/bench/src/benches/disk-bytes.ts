import { fileBytes } from '../measure/file-bytes.ts'
import type { BenchResult } from '../measure/result.ts'
import { withTemporaryFolder } from '../measure/temporary-folder.ts'
import { managedAppendsPerSecond } from './managed-appends.ts'

/** Bytes of the file, after a checkpoint, for each byte of event payload in the ledger; ids are UUIDs. */
export async function diskBytes(): Promise<BenchResult[]> {
  return [
    {
      name: 'bytes on disk per payload byte',
      value: await bytesPerPayloadByte(false),
      unit: '×',
      target: { atMost: 2.2 },
    },
    {
      name: 'bytes on disk per payload byte of the ledger, with delivery logs',
      value: await bytesPerPayloadByte(true),
      unit: '×',
      target: { atMost: 3 },
    },
  ]
}

async function bytesPerPayloadByte(isLogged: boolean): Promise<number> {
  return withTemporaryFolder(async (root) => {
    await managedAppendsPerSecond(root, {
      concurrentRuns: 64,
      runsInARow: 8,
      factsPerRun: 20,
      textBytes: 300,
      isLogged,
    })
    const { all, ledgerPayload } = fileBytes(root)
    return all / ledgerPayload
  })
}
