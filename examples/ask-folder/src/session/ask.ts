import type { InvocationState } from '@daybook/core/runtime-invocation'
import { showLiveTurn } from '../terminal/live-turn.ts'
import type { Screen } from '../terminal/screen.ts'
import type { Agent } from './agent.ts'

/** Asks one question and shows the turn. Resolves to how it ended, as the ledger says. */
export async function ask(
  { manager }: Agent,
  sessionId: string,
  text: string,
  screen: Screen,
): Promise<InvocationState> {
  screen.line()
  screen.line(`> ${text}`, 'bold')
  const show = showLiveTurn(screen)
  let left = (await manager.listInvocations(sessionId)).filter((one) => one.terminalEvent === undefined)
  for await (const event of manager.sendMessage(sessionId, { text })) {
    if (left.length > 0) {
      // A turn that a process left unfinished was ended before this one could begin.
      const now = await manager.listInvocations(sessionId)
      for (const { invocationId, terminalEvent } of now)
        if (terminalEvent !== undefined && left.some((one) => one.invocationId === invocationId))
          screen.line(
            `closed a turn that was left unfinished: ${terminalEvent.status} (${terminalEvent.actions?.ending?.failureCode})`,
            'dim',
          )
      left = []
    }
    show(event)
  }
  return (await manager.transcript(sessionId)).at(-1)?.state ?? 'running'
}
