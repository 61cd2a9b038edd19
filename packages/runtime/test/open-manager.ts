import type { OpenedStorage, SessionRecord } from '@daybook/core'
import { BackendRegistry, SessionManager, type SessionManagerOptions } from '@daybook/runtime/session-manager'
import { ManualTimers } from '@daybook/testing'
import { type Script, type ScriptedBackend, scriptedBackend } from './scripted-backend.ts'

export interface TestManager {
  readonly manager: SessionManager
  readonly session: SessionRecord
  readonly backend: ScriptedBackend
  readonly timers: ManualTimers
  readonly warnings: string[]
  readonly clock: { now: number }
}

/** A manager over the storage whose backend plays the script, with a session. */
export async function openManager(
  storage: OpenedStorage,
  script: Script | ScriptedBackend,
  options: Partial<SessionManagerOptions> = {},
): Promise<TestManager> {
  const backend = typeof script === 'function' ? scriptedBackend(script) : script
  const backends = new BackendRegistry()
  backends.register('ai-sdk', backend.factory)
  const timers = new ManualTimers()
  const warnings: string[] = []
  const clock = { now: 1000 }
  const manager = managerOver(storage, {
    backends,
    now: () => clock.now++,
    startTimer: timers.start,
    warn: (message) => warnings.push(message),
    ...options,
  })
  const session = await manager.createSession({
    cwd: '/somewhere',
    llmConnectionSlug: 'fake',
    permissionMode: 'bypass',
  })
  return { manager, session, backend, timers, warnings, clock }
}

/** A manager that has no backends unless the options say so. */
export function managerOver(storage: OpenedStorage, options: Partial<SessionManagerOptions> = {}): SessionManager {
  const { sessions: store, runs: runStore, events: runtimeEventStore, agentEvents: agentEventStore } = storage
  const stores = { store, runStore, runtimeEventStore, agentEventStore }
  return new SessionManager({ ...stores, backends: new BackendRegistry(), ...options })
}
