import type { AgentEventStore } from '@daybook/core'
import {
  createFileAgentEventStore,
  createMemoryAgentEventStore,
  createPostgresAgentEventStore,
  createSqliteAgentEventStore,
} from '@daybook/storage/agent-event-store'
import { connectPglite } from '@daybook/storage/pglite'
import { connectPostgres } from '@daybook/storage/postgres'
import pg from 'pg'
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

/**
 * Every store that keeps logs in this process; PGlite and PostgreSQL, which take seconds to start, are left to the campaign:
 * the first where many histories are asked for, the second where a server runs.
 */
export async function agentEventStoreKinds(): Promise<AgentEventStoreKind[]> {
  const memory = createMemoryAgentEventStore()
  const few = Math.ceil(histories / 30)
  const kinds: AgentEventStoreKind[] = [
    { name: 'memory', histories, open: () => memory, dispose: () => {} },
    ofFolder('file', few, (folder) => createFileAgentEventStore(folder)),
    ofFolder('sqlite', few, (folder) => createSqliteAgentEventStore(folder, { durability: 'normal' })),
  ]
  if (process.env.DAYBOOK_HISTORIES !== undefined) kinds.push(await pgliteKind(few))
  const url = process.env.DAYBOOK_POSTGRES_URL
  if (url !== undefined) kinds.push(await postgresKind(few, url))
  return kinds
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

/** Three connections, so that who writes does not see at once what others do. */
async function postgresKind(histories: number, url: string): Promise<AgentEventStoreKind> {
  const sqls = [0, 1, 2].map(() => connectPostgres(new pg.Pool({ connectionString: url, max: 4 })))
  const stores = await Promise.all(sqls.map((sql) => createPostgresAgentEventStore(sql)))
  let opened = 0
  return {
    name: 'postgres',
    histories,
    open: () => stores[opened++ % stores.length]!,
    async dispose() {
      for (const sql of sqls) await sql.close()
    },
  }
}
