import Database from 'better-sqlite3'
import type { RawRow } from './raw-rows.ts'

/**
 * Committed rows per second into the ledger's own table, without Daybook: each producer inserts a row and waits until it
 * is durable; the rows of all producers that wait share one transaction. Same table, indexes, durability and concurrency.
 *
 * `file` is a ledger with its schema and without rows.
 */
export async function rawAppendsPerSecond(file: string, producers: readonly (readonly RawRow[])[]): Promise<number> {
  const database = new Database(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma('secure_delete = ON')
  const columns = Object.keys(producers[0]?.[0] ?? {})
  const insert = database.prepare(
    `INSERT INTO runtime_events (${columns.join(', ')}) VALUES (${columns.map((column) => `@${column}`).join(', ')})`,
  )
  const waiting: { row: RawRow; done: () => void }[] = []
  const commit = database.transaction((batch: typeof waiting) => {
    for (const { row } of batch) insert.run(row)
  })
  const flush = (): void => {
    const batch = waiting.splice(0)
    commit.immediate(batch)
    for (const { done } of batch) done()
  }
  const append = (row: RawRow): Promise<void> =>
    new Promise((done) => {
      if (waiting.push({ row, done }) === 1) setImmediate(flush)
    })

  const started = performance.now()
  await Promise.all(
    producers.map(async (rows) => {
      for (const row of rows) await append(row)
    }),
  )
  const elapsedMs = performance.now() - started
  database.close()
  return (producers.reduce((sum, rows) => sum + rows.length, 0) * 1000) / elapsedMs
}
