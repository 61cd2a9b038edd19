/**
 * The process that the tour kills: it asks with tools that never return, and tells the tour what happens. A tool runs once its call is
 * committed, so there is no doubt about what is in the ledger then.
 */
import type { SessionEvent } from '@daybook/core/events'
import { openFolder } from '../folder/folder.ts'
import { folderTools } from '../folder/tools.ts'
import { offlineModel } from '../offline/offline-model.ts'
import { openAgent } from '../session/agent.ts'

export type Told = SessionEvent | { readonly type: 'tool_runs' }

const tell = (told: Told): void => void process.send?.(told)
const hang = (): Promise<never> => {
  tell({ type: 'tool_runs' })
  return new Promise(() => {})
}

// Without the tour nobody would end this process.
process.on('disconnect', () => process.exit(1))
const [dir = '', ledger = '', sessionId = '', text = ''] = process.argv.slice(2)
const folder = await openFolder(dir, ledger)
const tools = folderTools(folder)
for (const tool of Object.values(tools)) tool.execute = hang
// Where the system does not tell that a process is dead, its turns can be ended when their lease is over.
const { manager } = openAgent(folder, ledger, { model: offlineModel, tools, leaseMs: 3000 })
for await (const event of manager.sendMessage(sessionId, { text })) tell(event)
process.exit(1)
