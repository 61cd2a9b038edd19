import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { temporaryRoot } from '../../test/temporary-root.ts'
import { sessionRecord } from '../conformance/samples.ts'
import { openConnection } from './connection.ts'
import { migrations } from './migrations/index.ts'
import { prepareOperations } from './operations.ts'
import { prepareTransactions } from './transactions.ts'

const untold = [() => {}, () => {}] as const

describe('a write transaction', () => {
  /** Commits many sessions, each in its own transaction, and gives the bytes of the log after each. */
  function logSizes(root: string, claimedSize: number): number[] {
    const file = join(root, 'ledger')
    const database = openConnection(file, false, migrations)
    database.pragma('synchronous = OFF')
    const operations = prepareOperations(database)
    const begin = prepareTransactions(database, operations, { check: () => claimedSize }, ...untold)
    const sizes = Array.from({ length: 20 }, (_, index) => {
      const transaction = begin(0)
      operations.createSession(sessionRecord(`s${index}`), 1)()
      transaction.commit()
      return statSync(`${file}-wal`).size
    })
    database.close()
    return sizes
  }

  test('uses a log again that has grown too large', (t) => {
    const [growing, kept] = [logSizes(temporaryRoot(t), 0), logSizes(temporaryRoot(t), 2 ** 30)]
    assert.equal(new Set(growing).size, growing.length)
    assert.equal(new Set(kept).size, 1)
  })

  test('can be rolled back when SQLite has done so by itself', (t) => {
    const database = openConnection(join(temporaryRoot(t), 'ledger'), false, migrations)
    const begin = prepareTransactions(database, prepareOperations(database), { check: () => 0 }, ...untold)
    const transaction = begin(0)
    database.exec('ROLLBACK')
    transaction.rollback()
    begin(0).rollback()
    assert.equal(database.inTransaction, false)
    database.close()
  })
})
