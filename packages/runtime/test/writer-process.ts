/**
 * One of two processes that write to one ledger until they are killed; see `campaign/killed-writers.ts`. Sends messages to
 * sessions that the other one uses too, and acknowledges what its storage acknowledges.
 */
import { flushCompileCache } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import { BackendRegistry, SessionManager } from '@daybook/runtime/session-manager'
import { openSqlite } from '@daybook/storage'
import { acknowledge, childInput, recordHistory, scriptedBackend } from '@daybook/testing'
import { turnOfManySteps } from './turn-of-many-steps.ts'

export interface WriterInput {
  readonly root: string
  readonly sessionIds: readonly string[]
}

const { root, sessionIds } = childInput() as WriterInput
const storage = recordHistory(openSqlite(root), acknowledge)
const backends = new BackendRegistry()
backends.register('ai-sdk', scriptedBackend(turnOfManySteps).factory)
const manager = new SessionManager({
  store: storage.sessions,
  runStore: storage.runs,
  runtimeEventStore: storage.events,
  backends,
})
flushCompileCache()
await Promise.all(sessionIds.map(writeForEver))

async function writeForEver(sessionId: string): Promise<never> {
  for (;;) {
    try {
      for await (const _event of manager.sendMessage(sessionId, { text: 'go on' }));
    } catch (error) {
      // The other one answers in this session.
      if ((error as { code?: unknown }).code !== 'SESSION_BUSY') throw error
    }
    await setImmediate()
  }
}
