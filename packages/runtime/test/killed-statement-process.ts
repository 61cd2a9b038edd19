/**
 * A child of the crash harness: answers a message in the session of its input. It acknowledges each statement of SQLite
 * that writes once it has run, and before each it comes to the point `statement N`, counted from 1.
 */
import { createRequire } from 'node:module'
import { openSqlite } from '@daybook/storage'
import { acknowledge, childInput, reachPoint } from '@daybook/testing'
import { openManager } from './open-manager.ts'
import { takeAll } from './take.ts'
import { turnInWrites } from './turn-in-writes.ts'

export interface KilledStatementInput {
  readonly root: string
  readonly sessionId: string
}

/** As much of a statement of better-sqlite3 as is needed. */
interface Statement {
  readonly source: string
  run: (this: Statement, ...values: unknown[]) => unknown
}

const { root, sessionId } = childInput() as KilledStatementInput
const storage = openSqlite(root)
const { manager } = await openManager(storage, turnInWrites)

// The driver as the storage itself loads it.
const Driver = createRequire(import.meta.resolve('@daybook/storage'))('better-sqlite3')
const statements = Object.getPrototypeOf(new Driver(':memory:').prepare('SELECT 1')) as Statement
const { run } = statements
let count = 0
statements.run = function (...values) {
  count += 1
  reachPoint(`statement ${count}`)
  const result = run.apply(this, values)
  acknowledge(this.source)
  return result
}
await takeAll(manager.sendMessage(sessionId, { text: 'hi' }))
statements.run = run
await manager.close()
storage.close()
