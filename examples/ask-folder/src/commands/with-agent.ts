import { join } from 'node:path'
import { describeReport } from '@daybook/cli'
import { OPERATIONAL_STATE_DATABASE_NAME } from '@daybook/storage'
import { openFolder } from '../folder/folder.ts'
import { chooseModel } from '../model.ts'
import { keptSession, openAgent } from '../session/agent.ts'
import type { Ledger } from '../session/ledger.ts'
import type { Asked, Terminal } from './command.ts'

/**
 * Lets `work` ask in the session that is kept, and verifies what was recorded. Resolves to the exit code: that of the work,
 * and 1 when the ledger has problems. What ended otherwise than with 0 is not verified.
 */
export async function withAgent(
  asked: Asked,
  { env, screen }: Terminal,
  work: (agent: Ledger, sessionId: string) => Promise<number>,
): Promise<number> {
  const chosen = chooseModel(env)
  const folder = await openFolder(asked.dir, asked.ledger)
  const agent = openAgent(folder, asked.ledger, { model: chosen.model })
  try {
    const session = await keptSession(agent, folder, chosen.name, asked.fresh)
    screen.line(`folder  ${folder.root}`, 'dim')
    screen.line(`model   ${chosen.name}, ${chosen.about}`, 'dim')
    const code = await work(agent, session.id)
    if (code !== 0) return code
    screen.line()
    const report = await agent.storage.events.verifyStore()
    for (const line of describeReport(report)) screen.line(line, report.ok ? 'dim' : 'red')
    screen.line(`ledger  ${join(asked.ledger, OPERATIONAL_STATE_DATABASE_NAME)}`, 'dim')
    return report.ok ? 0 : 1
  } finally {
    await agent.close()
  }
}
