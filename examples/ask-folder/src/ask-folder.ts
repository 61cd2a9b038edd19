import { join } from 'node:path'
import { describeReport } from '@daybook/cli'
import { OPERATIONAL_STATE_DATABASE_NAME } from '@daybook/storage'
import type { Arguments } from './arguments.ts'
import { openFolder } from './folder/folder.ts'
import { chooseModel } from './model.ts'
import { keptSession, openAgent } from './session/agent.ts'
import { ask } from './session/ask.ts'
import type { Screen } from './terminal/screen.ts'
import { showRecord, tourQuestions } from './tour.ts'

/** Exit code of a command that was interrupted. */
export const interrupted = 130

/** Asks the question, or takes the tour, and verifies what it recorded. Resolves to the exit code; throws typed errors. */
export async function askFolder(
  asked: Arguments,
  env: NodeJS.ProcessEnv,
  screen: Screen,
  stop: AbortSignal,
): Promise<number> {
  const chosen = chooseModel(env)
  const folder = await openFolder(asked.dir, asked.ledger)
  const agent = openAgent(folder, asked.ledger, chosen)
  try {
    const isTour = asked.question === undefined
    const session = await keptSession(agent, folder, chosen.name, asked.fresh || isTour)
    screen.line(`folder  ${folder.root}`, 'dim')
    screen.line(`model   ${chosen.name}, ${chosen.about}`, 'dim')
    for (const question of asked.question === undefined ? tourQuestions(asked.dir) : [asked.question]) {
      if (stop.aborted) return interrupted
      const state = await ask(agent, session.id, question, screen, stop)
      if (stop.aborted) return interrupted
      if (state !== 'completed') {
        screen.line(`the turn ended as ${state}`, 'red')
        return 1
      }
    }
    if (isTour) await showRecord(agent, session.id, screen)
    screen.line()
    const report = await agent.storage.events.verifyStore()
    for (const line of describeReport(report)) screen.line(line, report.ok ? 'dim' : 'red')
    screen.line(`ledger  ${join(asked.ledger, OPERATIONAL_STATE_DATABASE_NAME)}`, 'dim')
    return report.ok ? 0 : 1
  } finally {
    await agent.close()
  }
}
