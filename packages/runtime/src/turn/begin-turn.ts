import type { RunRecord } from '@daybook/core'
import { goOnIfAnswered } from '../request/go-on-if-answered.ts'
import type { RuntimeContext } from '../session/runtime-context.ts'
import { driveTurn } from './drive-turn.ts'
import type { LiveTurn } from './live-turn.ts'
import type { OpenedTurn } from './opened-turn.ts'

/** Opens an invocation and lets it run. Rejects as `open` does when it is not opened. */
export async function beginTurn(
  turn: LiveTurn,
  open: () => Promise<OpenedTurn>,
  context: RuntimeContext,
): Promise<RunRecord> {
  try {
    const opened = await open()
    context.liveRuns.add(opened.run, turn)
    turn.opened()
    void run(turn, opened, context)
    return opened.run
  } catch (error) {
    turn.finish(undefined)
    throw error
  }
}

async function run(turn: LiveTurn, opened: OpenedTurn, context: RuntimeContext): Promise<void> {
  const state = await driveTurn(turn, opened, context)
  if (state !== 'waiting') return
  await goOnIfAnswered(opened, context, async (open) => {
    const next = context.liveTurns.add(turn.sessionId)
    next.events.leave()
    await beginTurn(next, open, context)
  })
}
