/**
 * A child of the crash harness: asks or answers in a session of the folder `root`. It acknowledges every point that it
 * comes to: those of the tool, and before each statement of SQLite that writes `statement N`, counted from 1.
 */
import { openSqlite } from '@daybook/storage'
import { acknowledge, childInput, reachPoint } from '@daybook/testing'
import { startSystemTimer } from '../src/timing/timer.ts'
import { aroundStatements } from './around-statements.ts'
import { askOrAnswer, type Doing } from './ask-and-answer.ts'
import { openRequests } from './asking-backend.ts'
import { openManager } from './open-manager.ts'
import { witnessedTool } from './witnessed-tool.ts'

export interface AnsweringInput {
  readonly root: string
  readonly sessionId: string
  readonly witness: string
  readonly does: Doing
  readonly live?: boolean
}

const { root, sessionId, witness, does, live = false } = childInput() as AnsweringInput
const reach = (point: string): void => {
  acknowledge(point)
  reachPoint(point)
}
const storage = openSqlite(root)
const { manager } = await openManager(storage, witnessedTool(witness, { live, reach }), {
  startTimer: startSystemTimer,
})
let count = 0
const restore = aroundStatements((_sql, run) => {
  count += 1
  reach(`statement ${count}`)
  return run()
})
// The timers of a turn that waits keep no process alive.
const keepAlive = setInterval(() => {}, 60_000)
await (
  await askOrAnswer(does, manager, sessionId)
)?.finished
if (does === 'ask') while (await isGoingOn()) await new Promise((resolve) => setImmediate(resolve))
restore()
await manager.close()
storage.close()
clearInterval(keepAlive)

/** What was answered before the turn waited is gone on with by this process. */
async function isGoingOn(): Promise<boolean> {
  const [turn] = await manager.transcript(sessionId)
  if (turn?.state === 'waiting') return (await openRequests(manager, sessionId)).length === 0
  return turn?.state === 'running'
}
