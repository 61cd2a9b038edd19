import type { SessionRecord } from '@daybook/core'
import type { Folder } from '../folder/folder.ts'
import { keptSession } from '../session/agent.ts'
import type { Ledger } from '../session/ledger.ts'
import { UsageError } from './command.ts'

/** The session that the next question would go on with. Throws `UsageError` where there is none. */
export async function sessionToGoOnWith(agent: Ledger, folder: Folder, model: string): Promise<SessionRecord> {
  const session = await keptSession(agent, folder, model)
  if (session === undefined) throw new UsageError(`nothing was asked about ${folder.root} with ${model} yet`)
  return session
}
