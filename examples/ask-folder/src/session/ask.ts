import type { InvocationState } from '@daybook/core/runtime-invocation'
import { showLiveTurn } from '../terminal/live-turn.ts'
import type { Screen } from '../terminal/screen.ts'
import type { Agent } from './agent.ts'

/** Asks one question and shows the turn. Resolves to how it ended, as the ledger says: aborted when `stop` was. */
export async function ask(
  { manager }: Agent,
  sessionId: string,
  text: string,
  screen: Screen,
  stop: AbortSignal,
): Promise<InvocationState> {
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
            `closed a turn that was left unfinished: ${end.status} (${end.actions?.ending?.failureCode})`,
            'dim',
          )
      left = []
    }
    show(event)
    // It may have been aborted before there was a turn to stop.
    if (stop.aborted) stopTurn()
  }
  stop.removeEventListener('abort', stopTurn)
  return (await manager.transcript(sessionId)).at(-1)?.state ?? 'running'
}
