/** A child of the crash harness: speaks without end in a turn of its own, in the folder `input`, and acknowledges its run. */
import { setImmediate } from 'node:timers/promises'
import { openSqlite } from '@daybook/storage'
import { acknowledge, childInput } from '@daybook/testing'
import { startSystemTimer } from '../src/timing/timer.ts'
import { openManager } from './open-manager.ts'
import { eventsOf } from './scripted-backend.ts'

export interface SpeakingRun {
  readonly sessionId: string
  readonly runId: string
}

const { manager, session } = await openManager(
  openSqlite(childInput() as string, { durability: 'normal' }),
  async function* ({ turnId }) {
    const say = eventsOf(turnId)
    for (let word = 1; ; word++) {
      yield say.delta(`${word} `)
      await setImmediate()
    }
  },
  { startTimer: startSystemTimer },
)
const { runId, finished } = await manager.startTurn(session.id, { text: 'hi' })
acknowledge({ sessionId: session.id, runId } satisfies SpeakingRun)
await finished
