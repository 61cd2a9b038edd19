import { setTimeout } from 'node:timers/promises'
import type { TranscriptTurn } from '@daybook/core'
import type { SessionEvent } from '@daybook/core/events'
import type { StartedTurn } from '@daybook/runtime'
import { showLiveTurn } from '../terminal/live-turn.ts'
import { showRequests } from '../terminal/requests.ts'
import type { Screen } from '../terminal/screen.ts'
import { interrupted } from '../terminal/stop-signal.ts'
import { drawTranscript } from '../terminal/transcript.ts'
import type { Ledger } from './ledger.ts'

/**
 * Shows what `start` begins while it happens; `stop` ends it. Where `start` begins nothing, another process goes on with the
 * turn, or it waits. Resolves, by what the ledger says, to the exit code: 0 when the turn was answered, and when it waits for
 * a person, who is told what to type.
 */
export async function showTurn(
  ledger: Ledger,
  sessionId: string,
  screen: Screen,
  stop: AbortSignal,
  start: (watch: (event: SessionEvent) => void) => Promise<StartedTurn | undefined>,
): Promise<number> {
  if (stop.aborted) return interrupted
  const { manager } = ledger
  const show = showLiveTurn(screen)
  const stopTurn = (): void => void manager.stopSession(sessionId).catch(() => {})
  stop.addEventListener('abort', stopTurn)
  try {
    const begun = await start((event) => {
      show(event)
      // It may have been aborted before there was a turn to stop.
      if (stop.aborted) stopTurn()
    })
    const outcome = await begun?.finished
    if (outcome?.error !== undefined) throw new Error('the turn could not be recorded', { cause: outcome.error })
    const turn = await untilItRests(ledger, sessionId)
    if (stop.aborted) return interrupted
    if (turn.invocationId !== begun?.invocationId && turn.state !== 'waiting')
      for (const line of drawTranscript([turn], screen.columns)) screen.line(line)
    return await showState(ledger, sessionId, turn, screen)
  } finally {
    stop.removeEventListener('abort', stopTurn)
  }
}

/** What was answered before its end is gone on with by the process that asked, be it this one or another. */
async function untilItRests({ manager }: Ledger, sessionId: string): Promise<TranscriptTurn> {
  for (;;) {
    const { items: open } = await manager.listOpenRequests({ sessionId, limit: 1 })
    const turn = (await manager.transcript(sessionId)).at(-1)
    if (turn === undefined) throw new Error(`session ${sessionId} has no turn`)
    if (turn.state === 'waiting' ? open.length > 0 : turn.state !== 'running') return turn
    await setTimeout(50)
  }
}

async function showState(
  { manager, path }: Ledger,
  sessionId: string,
  { state }: TranscriptTurn,
  screen: Screen,
): Promise<number> {
  if (state === 'completed') return 0
  if (state !== 'waiting') {
    screen.line(`the turn ended as ${state}${state === 'aborted' ? ': it was stopped from elsewhere' : ''}`, 'red')
    return 1
  }
  showRequests((await manager.listOpenRequests({ sessionId })).items, path, screen)
  screen.line()
  screen.line(
    'The turn waits in the ledger, and no process has to: answer in this terminal or another one, now or tomorrow.',
  )
  screen.line('A next question in the session counts as no answer.')
  return 0
}
