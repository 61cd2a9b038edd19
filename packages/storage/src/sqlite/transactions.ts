import type { Database } from './driver.ts'
import type { Transaction } from './group-commit.ts'
import type { Operations } from './operations.ts'
import type { WalGuard } from './wal-guard.ts'

/** From here on a log that readers keep from being used again is emptied in front of the next write, if they let it. */
const maxWalBytes = 64 * 1024 * 1024

/** Gives what begins a write transaction of a connection; see `Transactions.begin`. */
export function prepareTransactions(
  database: Database,
  operations: Operations,
  wal: WalGuard,
): (waitMs: number) => Transaction {
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const rollback = database.prepare('ROLLBACK')
  const transaction: Transaction = {
    operations,
    commit() {
      commit.run()
    },
    rollback() {
      operations.heads.forget()
      // SQLite has rolled back by itself after some errors, and after an I/O error the connection is given up.
      try {
        if (database.inTransaction) rollback.run()
      } catch {}
    },
  }
  let timeoutMs: number | undefined
  return (waitMs) => {
    if (waitMs !== timeoutMs) database.pragma(`busy_timeout = ${waitMs}`)
    timeoutMs = waitMs
    if (wal.check() > maxWalBytes) database.pragma('wal_checkpoint(RESTART)')
    begin.run()
    try {
      operations.heads.begin()
    } catch (error) {
      transaction.rollback()
      throw error
    }
    return transaction
  }
}
