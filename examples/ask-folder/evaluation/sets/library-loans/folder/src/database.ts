import Database from 'better-sqlite3'
import { closeSync, openSync, unlinkSync } from 'node:fs'
import type { Config } from './config.ts'

export function openDatabase(config: Config['database']) {
  const db = new Database(config.file)
  db.pragma(`busy_timeout = ${config.busyTimeoutMs}`)
  db.pragma('foreign_keys = ON')
  // Not WAL: the backup copies a single file.
  db.pragma('journal_mode = DELETE')

  return {
    all: (sql: string, ...values: unknown[]) => db.prepare(sql).all(...values) as any[],
    get: (sql: string, ...values: unknown[]) => db.prepare(sql).get(...values) as any,
    run: (sql: string, ...values: unknown[]) => db.prepare(sql).run(...values),
    transaction: <T>(work: () => T): T => db.transaction(work)(),
    countOpenLoans: () => (db.prepare('SELECT count(*) AS n FROM loan WHERE returned_on IS NULL').get() as { n: number }).n,
  }
}

export type Store = ReturnType<typeof openDatabase>

/** Keeps two nightly runs apart. Fails when the lease file exists. */
export function withLease<T>(file: string, work: () => T): T {
  const lease = `${file}.lease`
  closeSync(openSync(lease, 'wx'))
  try {
    return work()
  } finally {
    unlinkSync(lease)
  }
}
