import type { Database } from './driver.ts'
import type { Transaction } from './group-commit.ts'
import { watchLogSize } from './log-size.ts'
import type { Operations } from './operations.ts'
import type { WalGuard } from './wal-guard.ts'

/** Gives what begins a write transaction of a connection; see `Transactions.begin` and `watchLogSize`. */
export function prepareTransactions(
  database: Database,
  operations: Operations,
  wal: WalGuard,
  onLogGrowth: (bytes: number) => void,
  onChangedRuns: (runIds: readonly string[]) => void,
): (waitMs: number) => Transaction {
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const rollback = database.prepare('ROLLBACK')
  const transaction: Transaction = {
    operations,
    commit() {
      commit.run()
      onChangedRuns(operations.changedRuns.take())
    },
    rollback() {
      operations.kept.forget()
      operations.changedRuns.take()
      // SQLite has rolled back by itself after some errors, and after an I/O error the connection is given up.
      try {
        if (database.inTransaction) rollback.run()
      } catch {}
    },
  }
  const watchLog = watchLogSize(database, onLogGrowth)
  let timeoutMs: number | undefined
  return (waitMs) => {
    if (waitMs !== timeoutMs) database.pragma(`busy_timeout = ${waitMs}`)
    timeoutMs = waitMs
    watchLog(wal.check())
    begin.run()
    try {
      operations.kept.begin()
    } catch (error) {
      transaction.rollback()
      throw error
    }
    return transaction
  }
}
