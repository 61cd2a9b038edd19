/**
 * A child of the crash harness, on a session of the folder `root`: asks for leave to run a tool, or approves what is open
 * and, where it does not only record that, goes on.
 */
import { openSqlite } from '@daybook/storage'
import { acknowledge, childInput, reachPoint } from '@daybook/testing'
import { startSystemTimer } from '../src/timing/timer.ts'
import { approve, openRequests } from './asking-backend.ts'
import { openManager } from './open-manager.ts'
import { witnessedTool } from './witnessed-tool.ts'

export interface AnsweringInput {
  readonly root: string
  readonly sessionId: string
  readonly witness: string
  readonly does: 'ask' | 'approve' | 'record'
}

const { root, sessionId, witness, does } = childInput() as AnsweringInput
const storage = openSqlite(root)
const { manager } = await openManager(storage, witnessedTool(witness, reachPoint), { startTimer: startSystemTimer })
const keepAlive = setInterval(() => {}, 60_000)
if (does === 'ask') {
  const { finished } = await manager.startTurn(sessionId, { text: 'ask' })
  await finished
} else {
  const answers = (await openRequests(manager, sessionId)).map((request) => approve(request))
  const { turn } = await manager.answerRequests(sessionId, { answers, continue: does === 'approve' })
  await turn?.finished
}
acknowledge('done')
await manager.close()
storage.close()
clearInterval(keepAlive)
