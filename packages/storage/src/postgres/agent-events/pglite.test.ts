import { after, test } from 'node:test'
import { agentEventStoreConformance } from '../../conformance.ts'
import { connectPglite } from '../connect-pglite.ts'
import { createPostgresAgentEventStore } from './agent-event-store.ts'

// It takes seconds to start.
const sql = await connectPglite({ url: 'memory://' })
after(() => sql.close())

agentEventStoreConformance({
  name: 'pglite',
  test,
  capabilities: ['another'],
  open: async () => ({
    store: await createPostgresAgentEventStore(sql),
    another: () => createPostgresAgentEventStore(sql),
    dispose: async () => {
      await sql.query('DELETE FROM daybook_agent_event_logs')
    },
  }),
})
