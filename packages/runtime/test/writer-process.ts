/**
 * One of two processes that write to one ledger until they are killed; see `campaign/killed-writers.ts`. Sends messages to
 * sessions that the other one uses too, and acknowledges what its storage acknowledges.
 */
import { flushCompileCache } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import { openSqlite } from '@daybook/storage'
import { acknowledge, childInput, recordHistory } from '@daybook/testing'
import { managerOfManySteps } from './manager-of-many-steps.ts'

export interface WriterInput {
  readonly root: string
  readonly sessionIds: readonly string[]
}

const { root, sessionIds } = childInput() as WriterInput
const storage = recordHistory(openSqlite(root), acknowledge)
const manager = managerOfManySteps(storage)
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
