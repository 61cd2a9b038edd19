import { keptSession, newSession } from '../session/agent.ts'
import { ask } from '../session/ask.ts'
import type { Command } from './command.ts'
import { withAgent } from './with-agent.ts'

export const question: Command = {
  usage: '-- "your question"',
  summary: 'asks it; the next question goes on from there; Ctrl-C stops the answer',
  run(asked, terminal) {
    const stop = terminal.stopSignal()
    const { text = '', fresh } = asked
    return withAgent(
      asked,
      terminal,
      async (agent, folder, model) =>
        (fresh ? undefined : await keptSession(agent, folder, model)) ?? newSession(agent, folder, model, text),
      (agent, sessionId) => ask(agent, sessionId, text, terminal.screen, stop),
    )
  },
}
