/**
 * A child of the crash harness: answers a message in the session of its input. It acknowledges each statement of SQLite
 * that writes once it has run, and before each it comes to the point `statement N`, counted from 1.
 */
import { openSqlite } from '@daybook/storage'
import { acknowledge, childInput, reachPoint } from '@daybook/testing'
import { aroundStatements } from './around-statements.ts'
import { openManager } from './open-manager.ts'
import { takeAll } from './take.ts'
import { turnInWrites } from './turn-in-writes.ts'

export interface KilledStatementInput {
  readonly root: string
  readonly sessionId: string
}

const { root, sessionId } = childInput() as KilledStatementInput
const storage = openSqlite(root)
const { manager } = await openManager(storage, turnInWrites)

let count = 0
const restore = aroundStatements((sql, run) => {
  count += 1
  reachPoint(`statement ${count}`)
  const result = run()
  acknowledge(sql)
  return result
})
await takeAll(manager.sendMessage(sessionId, { text: 'hi' }))
restore()
await manager.close()
storage.close()
