import type { AgentEventStore } from '@daybook/core'
import {
  createFileAgentEventStore,
  createMemoryAgentEventStore,
  createPostgresAgentEventStore,
  createSqliteAgentEventStore,
} from '@daybook/storage/agent-event-store'
import { connectPglite } from '@daybook/storage/pglite'
import { histories } from './histories.ts'
import { temporaryFolder } from './storages.ts'

export interface AgentEventStoreKind {
  readonly name: string
  /** How many random histories a property is held against. */
  readonly histories: number
  /** The same logs each time it is called, as several processes have them. */
  readonly open: () => AgentEventStore
  readonly dispose: () => void | Promise<void>
}

/** Every store that keeps logs in this process; PGlite takes seconds to start, and is left to the campaign. */
export async function agentEventStoreKinds(): Promise<AgentEventStoreKind[]> {
  const memory = createMemoryAgentEventStore()
  const few = Math.ceil(histories / 30)
  const kinds = [
    { name: 'memory', histories, open: () => memory, dispose: () => {} },
    ofFolder('file', few, (folder) => createFileAgentEventStore(folder)),
    ofFolder('sqlite', few, (folder) => createSqliteAgentEventStore(folder, { durability: 'normal' })),
  ]
  return process.env.DAYBOOK_HISTORIES === undefined ? kinds : [...kinds, await pgliteKind(few)]
}

function ofFolder(name: string, histories: number, openIn: (folder: string) => AgentEventStore): AgentEventStoreKind {
  const folder = temporaryFolder()
  const opened: AgentEventStore[] = []
  return {
    name,
    histories,
    open() {
      const store = openIn(folder.path)
      opened.push(store)
      return store
    },
    dispose() {
      for (const store of opened) store.close?.()
      folder.remove()
    },
  }
}

async function pgliteKind(histories: number): Promise<AgentEventStoreKind> {
  const sql = await connectPglite({ url: 'memory://' })
  const store = await createPostgresAgentEventStore(sql)
  return { name: 'pglite', histories, open: () => store, dispose: () => sql.close() }
}
