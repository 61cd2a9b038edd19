import type { OpenedStorage } from '@daybook/core'
import type { BackendFactory } from '@daybook/core/backend-types'
import { BackendRegistry, SessionManager, type SessionManagerOptions } from '@daybook/runtime/session-manager'

/** A manager over the storage whose one backend is registered as `scripted`. */
export function openManager(
  storage: OpenedStorage,
  backend: BackendFactory,
  options: Partial<SessionManagerOptions> = {},
): SessionManager {
  const backends = new BackendRegistry()
  backends.register('scripted', backend)
  const { sessions: store, runs: runStore, events: runtimeEventStore } = storage
  return new SessionManager({ store, runStore, runtimeEventStore, backends, ...options })
}
