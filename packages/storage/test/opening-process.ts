/** One of many processes that open a ledger at the same moment; see `open-at-once.test.ts`. */
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { sessionRecord } from '../src/conformance/samples.ts'
import { OPERATIONAL_STATE_DATABASE_NAME } from '../src/operational-state-store.ts'
import { openConnection } from '../src/sqlite/connection.ts'
import { migrations } from '../src/sqlite/migrations/index.ts'
import type { Migration } from '../src/sqlite/migrations/migration.ts'
import { openSqlite } from '../src/sqlite/open-sqlite.ts'

export type Order = 'create' | 'migrate'

const root = process.argv[2]!
const second: Migration = {
  version: 2,
  minCodeVersion: 2,
  sql: 'CREATE TABLE openings (pid INTEGER NOT NULL PRIMARY KEY); ALTER TABLE sessions ADD COLUMN more TEXT',
}

async function create(): Promise<void> {
  const storage = openSqlite(root, { busyTimeoutMs: 60_000 })
  await storage.sessions.create(sessionRecord(`of ${process.pid}`))
  storage.close()
}

async function migrate(): Promise<void> {
  const database = openConnection(join(root, OPERATIONAL_STATE_DATABASE_NAME), false, [...migrations, second])
  database.pragma('busy_timeout = 60000')
  database.prepare('INSERT INTO openings VALUES (?)').run(process.pid)
  database.close()
}

process.on('message', (order: Order) => {
  void (order === 'create' ? create() : migrate()).then(
    () => process.send!('opened'),
    (error: Error) => process.send!(`${error.name}: ${error.message}`),
  )
})
flushCompileCache()
process.send!('ready')
