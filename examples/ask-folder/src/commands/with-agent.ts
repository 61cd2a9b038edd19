import { join } from 'node:path'
import { describeReport } from '@daybook/cli'
import type { SessionRecord } from '@daybook/core'
import { OPERATIONAL_STATE_DATABASE_NAME } from '@daybook/storage'
import { type Folder, openFolder } from '../folder/folder.ts'
import { chooseModel } from '../model.ts'
import { openAgent } from '../session/agent.ts'
import type { Ledger } from '../session/ledger.ts'
import type { Terminal } from './command.ts'

/** Which agent is wanted. */
export interface Wanted {
  readonly dir: string
  readonly ledger: string
  /** The model that a session has; default the one of the environment. */
  readonly model?: string
}

/**
 * Lets `work` use an agent in the session that `sessionOf` gives, and verifies what was recorded. Resolves to the exit code:
 * that of the work, and 1 when the ledger has problems. What ended otherwise than with 0 is not verified.
 */
export async function withAgent(
  wanted: Wanted,
  { env, screen }: Terminal,
  sessionOf: (agent: Ledger, folder: Folder, model: string) => Promise<SessionRecord>,
  work: (agent: Ledger, sessionId: string) => Promise<number>,
): Promise<number> {
  const chosen = chooseModel(env, wanted.model)
  const folder = await openFolder(wanted.dir, wanted.ledger)
  const agent = openAgent(folder, wanted.ledger, { model: chosen.model })
  try {
    const session = await sessionOf(agent, folder, chosen.name)
    screen.line(`folder  ${folder.root}`, 'dim')
    screen.line(`model   ${chosen.name}, ${chosen.about}`, 'dim')
    const code = await work(agent, session.id)
    if (code !== 0) return code
    screen.line()
    const report = await agent.storage.events.verifyStore()
    for (const line of describeReport(report)) screen.line(line, report.ok ? 'dim' : 'red')
    screen.line(`ledger  ${join(wanted.ledger, OPERATIONAL_STATE_DATABASE_NAME)}`, 'dim')
    return report.ok ? 0 : 1
  } finally {
    await agent.close()
  }
}
