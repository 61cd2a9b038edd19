import { after, test } from 'node:test'
import { agentEventStoreConformance } from '../../src/conformance.ts'
import { connectPglite } from '../../src/postgres/connect-pglite.ts'
import { createPostgresAgentEventStore } from '../../src/postgres/agent-events/agent-event-store.ts'

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
