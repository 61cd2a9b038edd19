import { ask } from '../session/ask.ts'
import type { Command } from './command.ts'
import { withAgent } from './with-agent.ts'

export const question: Command = {
  usage: '-- "your question"',
  summary: 'asks it; the next question goes on from there; Ctrl-C stops the answer',
  run(asked, terminal) {
    const stop = terminal.stopSignal()
    return withAgent(asked, terminal, (agent, sessionId) =>
      ask(agent, sessionId, asked.text ?? '', terminal.screen, stop),
    )
  },
}
