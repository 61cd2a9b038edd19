import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { temporaryRoot } from '../../test/temporary-root.ts'
import { watchLogSize } from './log-size.ts'

const mebibyte = 1024 * 1024

test('a log that a reader keeps from being used again is told of at 64 MiB and at each doubling, until it is', (t) => {
  const file = join(temporaryRoot(t), 'ledger')
  const database = new Database(file, { timeout: 0 })
  database.pragma('journal_mode = WAL')
  database.exec('CREATE TABLE t (x); INSERT INTO t VALUES (1)')
  const reader = new Database(file)
  const rows = reader.prepare('SELECT * FROM t UNION ALL SELECT * FROM t').iterate()
  rows.next()
  database.exec('INSERT INTO t VALUES (2)')

  const told: number[] = []
  const watch = watchLogSize(database, (bytes) => told.push(bytes / mebibyte))
  const grow = (...sizes: number[]) => sizes.forEach((size) => watch(size * mebibyte))
  grow(1, 64, 65, 66, 90, 129, 150, 160, 299, 330)
  assert.deepEqual(told, [65, 150, 330])
  // What it shrank to by itself is a new beginning.
  grow(5, 70)
  assert.deepEqual(told.splice(3), [70])

  rows.return?.()
  grow(100, 150, 300)
  assert.deepEqual(told.splice(3), [])
  reader.close()
  database.close()
})
