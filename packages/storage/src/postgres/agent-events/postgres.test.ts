import { after, test } from 'node:test'
import { agentEventStoreConformance } from '../../conformance.ts'
import { createPostgresSchema } from '../../../test/postgres-schema.ts'
import { createPostgresAgentEventStore } from './agent-event-store.ts'

const schema = await createPostgresSchema()
const [one, two] = [schema.connect(), schema.connect()]
after(async () => {
  for (const sql of [one, two]) await sql.close()
})

agentEventStoreConformance({
  name: 'postgres',
  test,
  capabilities: ['another'],
  open: async () => ({
    store: await createPostgresAgentEventStore(one),
    another: () => createPostgresAgentEventStore(two),
    dispose: async () => {
      await one.query('DELETE FROM daybook_agent_event_logs')
    },
  }),
})
