import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { StorageBusyError, StorageClosedError } from '@daybook/core'
import { type Database, loadDriver } from '../sqlite/driver.ts'
import { isBusy, storageError } from '../sqlite/errors.ts'
import { backOffMs } from '../sqlite/pacing.ts'

/** Keeps writers of a folder apart, in this process and in others of this host. */
export interface FolderLock {
  /**
   * Does the work, which must not wait for anything, while nobody else does theirs. Rejects with `StorageBusyError`, and
   * `StorageClosedError` where it has not begun when the lock is closed.
   */
  readonly hold: <Result>(work: () => Result) => Promise<Result>
  readonly close: () => void
}

/**
 * Node.js cannot lock a file, and SQLite can: an empty database in the folder is locked and never written. The system
 * gives a lock back when the process that holds it dies.
 */
export function createFolderLock(folder: string, busyTimeoutMs: number): FolderLock {
  const file = join(folder, 'daybook.lock')
  let database: Database | undefined
  let isClosed = false
  /** False where somebody else holds the lock. */
  const begin = (waitedMs: number): boolean => {
    if (isClosed) throw new StorageClosedError()
    try {
      database ??= new (loadDriver())(file, { timeout: 0 })
      database.exec('BEGIN IMMEDIATE')
      return true
    } catch (error) {
      if (!isBusy(error)) throw storageError(error, file, waitedMs)
      if (waitedMs >= busyTimeoutMs) throw new StorageBusyError(waitedMs, { cause: error })
      return false
    }
  }
  return {
    async hold(work) {
      const since = performance.now()
      for (let attempt = 1; !begin(Math.round(performance.now() - since)); attempt += 1) await delay(backOffMs(attempt))
      try {
        return work()
      } finally {
        database?.exec('ROLLBACK')
      }
    },
    close() {
      isClosed = true
      database?.close()
    },
  }
}
