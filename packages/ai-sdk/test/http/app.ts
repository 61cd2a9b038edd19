import assert from 'node:assert/strict'
import { BackendRegistry, SessionManager } from '@daybook/runtime/session-manager'
import { openSqlite } from '@daybook/storage'
import { agentEventLogProblems } from '@daybook/testing'
import type { ToolSet } from 'ai'
import { aiSdkBackend } from '../../src/index.ts'
import type { Provider } from './providers.ts'

/** What one process of an application has open. */
export interface App {
  readonly manager: SessionManager
  readonly storage: ReturnType<typeof openSqlite>
  /** Throws where AG-UI's clients would refuse one of the delivery logs; those of who runs no models others look at. */
  readonly close: () => Promise<void>
}

/** Opens the ledger in this folder; without a provider for somebody who runs no models. */
export function openApp(root: string, model?: { provider: Provider; url: string; tools: object }): App {
  const storage = openSqlite(root, { durability: 'normal' })
  const backends = new BackendRegistry()
  if (model !== undefined) {
    const { provider, url, tools } = model
    backends.register(
      'ai-sdk',
      aiSdkBackend({
        model: provider.model(url),
        streamText: provider.streamText,
        tools: tools as ToolSet,
        settings: { maxRetries: 0, maxOutputTokens: 100 },
      }),
    )
  }
  const manager = new SessionManager({
    store: storage.sessions,
    runStore: storage.runs,
    runtimeEventStore: storage.events,
    agentEventStore: storage.agentEvents,
    backends,
  })
  return {
    manager,
    storage,
    close: async () => {
      await manager.close()
      const problems = model === undefined ? [] : await agentEventLogProblems(storage.agentEvents)
      storage.close()
      assert.deepEqual(problems, [])
    },
  }
}
