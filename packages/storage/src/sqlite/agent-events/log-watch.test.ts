import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createSqliteAgentEventStore } from '../../agent-event-store.ts'
import { OPERATIONAL_STATE_DATABASE_NAME } from '../../operational-state-store.ts'
import { openConnection } from '../connection.ts'
import { migrations } from '../migrations/index.ts'
import { prepareOperations } from '../operations.ts'
import { LogWatch } from './log-watch.ts'

/** Watches with a connection of its own, as another process would. */
for (const [how, walSuffix] of [
  ['the system tells of writes', '-wal'],
  ['the system tells of no writes', '-none'],
] as const) {
  test(`tells of what another connection commits, where ${how}`, async () => {
    const root = mkdtempSync(join(tmpdir(), 'daybook-'))
    const file = join(root, OPERATIONAL_STATE_DATABASE_NAME)
    const store = createSqliteAgentEventStore(root, { durability: 'normal' })
    const database = openConnection(file, false, migrations)
    const operations = prepareOperations(database)
    const logWatch = new LogWatch(`${file}${walSuffix}`, () => operations)
    const alive = setInterval(() => {}, 1_000)
    try {
      for (const threadId of ['one', 'two']) {
        const told = new Promise<void>((resolve) => logWatch.watch('r', resolve))
        await store.writeHeader({ runId: 'r', threadId, tenant: null, gates: [], userId: null, operatorId: null })
        await store.append('r', { seq: threadId === 'one' ? 1 : 2, event: { type: 'STEP_STARTED' } })
        await told
      }
    } finally {
      clearInterval(alive)
      logWatch.close()
      database.close()
      store.close?.()
      rmSync(root, { recursive: true })
    }
  })
}
