import type { AgentEventStore } from './agent-event-store.ts'
import type { AgentRunStore } from './agent-run-store.ts'
import type { RuntimeEventStore } from './runtime-event-store.ts'
import type { SessionStore } from './session-store.ts'
import type { StorageIdentity } from './storage-identity.ts'

/** One storage, opened, with all its stores. Closing it closes them all; closing again does nothing. */
export interface OpenedStorage {
  readonly identity: StorageIdentity
  readonly sessions: SessionStore
  readonly runs: AgentRunStore
  readonly events: RuntimeEventStore
  readonly agentEvents: AgentEventStore
  close(): void
}
