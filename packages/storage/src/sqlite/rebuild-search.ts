import { acquireLease } from './lease.ts'
import type { SqliteOptions } from './config.ts'
import { catchUp } from './search/catch-up.ts'

/**
 * Makes the index of search of the ledger in the folder `root` anew, from what it covers: for one that verify says differs.
 * Searches find less meanwhile. Throws what `openSqlite` throws, or a storage error; the next search goes on then.
 */
export async function rebuildSearch(root: string, options?: SqliteOptions): Promise<void> {
  const lease = acquireLease(root, options)
  try {
    await lease.write(({ searchIndex }) => searchIndex.clear)
    await catchUp(lease)
  } finally {
    lease.close()
  }
}
