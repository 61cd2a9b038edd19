import { test } from 'node:test'
import { agentEventStoreConformance } from '../../conformance.ts'
import { createMemoryAgentEventStore } from './agent-event-store.ts'

agentEventStoreConformance({
  name: 'memory',
  test,
  capabilities: ['watch', 'close'],
  open: () => ({ store: createMemoryAgentEventStore(), dispose: () => {} }),
})
