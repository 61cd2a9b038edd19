/**
 * A child of the crash harness: answers a message in a new session of the folder `input`, acknowledges the session, runs a
 * tool, and acknowledges how the turn ended for it. Its point `in the tool` is outside of any commit.
 */
import type { DaybookError } from '@daybook/core'
import { openSqlite } from '@daybook/storage'
import { acknowledge, childInput, reachPoint } from '@daybook/testing'
import { openManager } from './open-manager.ts'
import { aborted, eventsOf } from './scripted-backend.ts'
import { startSystemTimer } from '../src/timing/timer.ts'

export interface ToolInput {
  readonly root: string
  /** The tool ends when it is stopped; else at once. */
  readonly untilStopped: boolean
}

/** What the process says: first of the turn it runs, then of its end. */
export type ToolReport =
  | { readonly sessionId: string }
  | {
      readonly state: string
      readonly code: string | undefined
      readonly unrecorded: string | undefined
      readonly calls: readonly string[]
    }

const { root, untilStopped } = childInput() as ToolInput
const storage = openSqlite(root)
const { manager, session, backend } = await openManager(
  storage,
  async function* ({ turnId, abortSignal }) {
    const say = eventsOf(turnId)
    yield say.text('let me look')
    yield say.call('c1')
    yield say.delta('I see')
    acknowledge({ sessionId: session.id } satisfies ToolReport)
    reachPoint('in the tool')
    if (untilStopped) await aborted(abortSignal)
    yield say.result('c1')
    yield say.complete()
  },
  { startTimer: startSystemTimer },
)
const keepAlive = setInterval(() => {}, 60_000)
const { finished } = await manager.startTurn(session.id, { turnId: 'turn-1', text: 'hi' })
const { state, error, unrecorded } = await finished
const code = (error as DaybookError | undefined)?.code
acknowledge({ state, code, unrecorded: unrecorded?.type, calls: backend.calls } satisfies ToolReport)
await manager.close()
storage.close()
clearInterval(keepAlive)
