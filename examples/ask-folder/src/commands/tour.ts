import { checkout } from '../checkout.ts'
import type { Folder } from '../folder/folder.ts'
import { newSession } from '../session/agent.ts'
import { ask } from '../session/ask.ts'
import type { Ledger } from '../session/ledger.ts'
import { interrupted } from '../terminal/stop-signal.ts'
import { askAndKill } from '../tour/ask-and-kill.ts'
import { showRecord } from '../tour/show-record.ts'
import { showRecovery } from '../tour/show-recovery.ts'
import type { Command } from './command.ts'
import { withAgent } from './with-agent.ts'

export const tour: Command = {
  usage: '',
  summary: 'a tour: answers, a turn whose process is killed, and what the ledger says of it all',
  run(asked, terminal) {
    const { screen } = terminal
    const stop = terminal.stopSignal()
    const [first, second, killed, last] = questionsAbout(asked.dir)
    const begin = (agent: Ledger, folder: Folder, model: string) => newSession(agent, folder, model, 'Tour')
    return withAgent(asked, terminal, begin, async (agent, sessionId) => {
      for (const text of [first, second]) {
        const code = await ask(agent, sessionId, text, screen, stop)
        if (code !== 0) return code
      }
      await askAndKill(asked, sessionId, killed, screen, stop)
      if (stop.aborted) return interrupted
      await showRecovery(agent, sessionId, screen)
      const code = await ask(agent, sessionId, last, screen, stop)
      if (code === 0) await showRecord(agent, sessionId, screen)
      return code
    })
  },
}

/** The later ones are about this checkout, or what any folder may know. */
function questionsAbout(dir: string): readonly [string, string, string, string] {
  const about = 'What is this folder about?'
  if (dir !== checkout) return [about, 'What does it say about errors?', 'What was decided?', 'What was decided?']
  const killed = 'What happens when a process dies?'
  return [about, 'When does a run accept no more events?', killed, killed]
}
