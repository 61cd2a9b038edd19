export { AGENT_EVENT_SWEEP_CLAIM_MS, AgentEventDuplicateSeqError, type AgentEventStore } from '@daybook/core'
export { createMemoryAgentEventStore } from './memory/agent-events/agent-event-store.ts'
