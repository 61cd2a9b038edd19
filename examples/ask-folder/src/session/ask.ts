import { describeEnding } from '../terminal/describe-ending.ts'
import { showLiveTurn } from '../terminal/live-turn.ts'
import type { Screen } from '../terminal/screen.ts'
import { interrupted } from '../terminal/stop-signal.ts'
import type { Ledger } from './ledger.ts'

/**
 * Asks one question and shows the turn, which `stop` ends. Resolves, by what the ledger says, to the exit code: 0 when it was
 * answered.
 */
export async function ask(
  { manager }: Ledger,
  sessionId: string,
  text: string,
  screen: Screen,
  stop: AbortSignal,
): Promise<number> {
  if (stop.aborted) return interrupted
  screen.line()
  screen.line(`> ${text}`, 'bold')
  const show = showLiveTurn(screen)
  let left = (await manager.listInvocations(sessionId)).filter((one) => one.terminalEvent === undefined)
  const stopTurn = (): void => void manager.stopSession(sessionId).catch(() => {})
  stop.addEventListener('abort', stopTurn)
  for await (const event of manager.sendMessage(sessionId, { text })) {
    if (left.length > 0) {
      // A turn that a process left unfinished was ended before this one could begin.
      const now = await manager.listInvocations(sessionId)
      for (const { invocationId, terminalEvent: end } of now)
        if (end !== undefined && left.some((one) => one.invocationId === invocationId))
          screen.line(
            `closed a turn that was left unfinished: ${describeEnding(end.status ?? 'ended', end.actions?.ending)}`,
            'dim',
          )
      left = []
    }
    show(event)
    // It may have been aborted before there was a turn to stop.
    if (stop.aborted) stopTurn()
  }
  stop.removeEventListener('abort', stopTurn)
  if (stop.aborted) return interrupted
  const state = (await manager.transcript(sessionId)).at(-1)?.state
  if (state === 'completed') return 0
  screen.line(`the turn ended as ${state}${state === 'aborted' ? ': it was stopped from elsewhere' : ''}`, 'red')
  return 1
}
