export { createMemoryAgentEventStore } from './memory/agent-events/agent-event-store.ts'
