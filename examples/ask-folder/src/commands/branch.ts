import type { TranscriptTurn } from '@daybook/core'
import { shortId } from '../terminal/short-id.ts'
import { drawTranscript } from '../terminal/transcript.ts'
import { type Command, UsageError } from './command.ts'
import { sessionToGoOnWith } from './kept-session.ts'
import { withAgent } from './with-agent.ts'

export const branch: Command = {
  usage: '-- --branch [N]',
  summary: 'has the next question go on after turn N, in a session of its own; default the newest',
  run(asked, terminal) {
    const { screen } = terminal
    return withAgent(asked, terminal, sessionToGoOnWith, async ({ manager }, sessionId) => {
      const turns = await manager.transcript(sessionId)
      const kept = keptTurns(asked.text, turns)
      const last = kept.at(-1)
      const point = last === undefined ? { before: turns[0]!.turnId } : { after: last.turnId }
      const title = last === undefined ? 'from the beginning' : `after "${last.userText}"`
      const { id, parentSessionId, parentSessionSeq } = await manager.branchSession(sessionId, point, { title })
      const of = `a branch of ${shortId(parentSessionId ?? '')}, of which it shows the first ${parentSessionSeq} facts`
      screen.line()
      screen.line('What changed in the ledger', 'bold')
      screen.line(`  added session ${shortId(id)}, ${of}, by reference`, 'dim')
      screen.line()
      screen.line('Transcript of the branch, in which the next question is asked', 'bold')
      for (const line of drawTranscript(await manager.transcript(id), screen.columns)) screen.line(line)
      return 0
    })
  },
}

function keptTurns(typed: string | undefined, turns: readonly TranscriptTurn[]): readonly TranscriptTurn[] {
  if (turns.length === 0) throw new UsageError('this session has no turn yet: ask something first')
  const count = typed === undefined ? turns.length : /^\d+$/.test(typed) ? Number(typed) : NaN
  if (count >= 0 && count <= turns.length) return turns.slice(0, count)
  throw new UsageError(`--branch takes the number of a turn, and this session has ${turns.length}`)
}
