export { agentEventStoreConformance } from './conformance/agent-events/agent-event-conformance.ts'
export type {
  AgentEventCapability,
  AgentEventConformanceOptions,
  AgentEventStoreUnderTest,
} from './conformance/agent-events/store-under-test.ts'
export { storageConformance } from './conformance/storage-conformance.ts'
export type {
  Capability,
  ConformanceOptions,
  StorageUnderTest,
  TestFunction,
} from './conformance/storage-under-test.ts'
export type { ForeignRow } from './foreign-row.ts'
