import { describeEnding } from '../terminal/describe-ending.ts'
import type { Screen } from '../terminal/screen.ts'
import type { Ledger } from './ledger.ts'
import { showTurn } from './show-turn.ts'

/** Asks one question and shows the turn, as `showTurn` does. */
export async function ask(
  ledger: Ledger,
  sessionId: string,
  text: string,
  screen: Screen,
  stop: AbortSignal,
): Promise<number> {
  const { manager } = ledger
  if (!stop.aborted) {
    screen.line()
    screen.line(`> ${text}`, 'bold')
  }
  let left = (await manager.listInvocations(sessionId)).filter((one) => one.terminalEvent === undefined)
  /** A turn that a process left unfinished was ended before this one could begin. */
  const showClosed = async (): Promise<void> => {
    if (left.length === 0) return
    const now = await manager.listInvocations(sessionId)
    for (const { invocationId, terminalEvent: end } of now)
      if (end !== undefined && left.some((one) => one.invocationId === invocationId))
        screen.line(
          `closed a turn that was left unfinished: ${describeEnding(end.status ?? 'ended', end.actions?.ending)}`,
          'dim',
        )
    left = []
  }
  return showTurn(ledger, sessionId, screen, stop, (show) =>
    manager.startTurn(sessionId, {
      text,
      watch: async (event) => {
        await showClosed()
        show(event)
      },
    }),
  )
}
