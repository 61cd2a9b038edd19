import { changesOf } from '../session/changes.ts'
import { showTurn } from '../session/show-turn.ts'
import { drawTranscript } from '../terminal/transcript.ts'
import { type Command, UsageError } from './command.ts'
import { sessionToGoOnWith } from './kept-session.ts'
import { withAgent } from './with-agent.ts'

export const regenerate: Command = {
  usage: '-- --regenerate',
  summary: 'tries the newest turn again; the transcript shows the new attempt',
  run(asked, terminal) {
    if (asked.text !== undefined) throw new UsageError('--regenerate takes no question')
    const { screen } = terminal
    const stop = terminal.stopSignal()
    return withAgent(asked, terminal, sessionToGoOnWith, async (agent, sessionId) => {
      const { manager } = agent
      const turnId = (await manager.listInvocations(sessionId)).at(-1)?.turnId
      if (turnId === undefined) throw new UsageError('this session has no turn of its own yet: ask something first')
      const showChanges = await changesOf(agent, sessionId, screen)
      screen.line()
      const code = await showTurn(agent, sessionId, screen, stop, (watch) =>
        manager.retryTurn(sessionId, { turnId, watch }),
      )
      await showChanges()
      const attempts = (await manager.listInvocations(sessionId)).filter(
        (one) => one.turnId === turnId && one.opening.source.kind !== 'continuation',
      )
      screen.line()
      screen.line(`Attempt ${attempts.length} at this turn, the one that the transcript shows`, 'bold')
      const turns = (await manager.transcript(sessionId)).filter((one) => one.turnId === turnId)
      for (const line of drawTranscript(turns, screen.columns)) screen.line(line)
      return code
    })
  },
}
