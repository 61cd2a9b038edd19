import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { AgentEventStore } from '@daybook/core'
import { createPostgresSchema } from '../../test/postgres-schema.ts'
import { temporaryRoot } from '../../test/temporary-root.ts'
import { headerOf, openLog } from '../conformance/agent-events/samples.ts'
import { createPostgresAgentEventStore } from '../postgres/agent-events/agent-event-store.ts'
import { loadDriver } from '../sqlite/driver.ts'
import { openSqlite } from '../sqlite/open-sqlite.ts'

/** Each with what runs a statement past the store. */
const databases: Readonly<
  Record<string, (t: Parameters<typeof temporaryRoot>[0]) => Promise<readonly [AgentEventStore, Change]>>
> = {
  async sqlite(t) {
    const root = temporaryRoot(t)
    const { agentEvents } = openSqlite(root, { durability: 'normal' })
    const database = new (loadDriver())(join(root, 'daybook.sqlite'))
    t.after(() => {
      database.close()
      agentEvents.close?.()
    })
    return [
      agentEvents,
      async (sql) => void database.exec(sql.replace('event_json', 'lines').replace('seq', 'last_seq')),
    ]
  },
  async postgres(t) {
    const sql = (await createPostgresSchema()).connect()
    t.after(() => sql.close())
    return [await createPostgresAgentEventStore(sql), (text) => sql.query(text.replaceAll('agent_', 'daybook_agent_'))]
  },
}

type Change = (sql: string) => Promise<unknown>

for (const [name, open] of Object.entries(databases)) {
  test(`a damaged log in ${name} is told to who reads it, by name, and keeps nobody from the others`, async (t) => {
    const [store, change] = await open(t)
    for (const runId of ['a', 'b', 'c']) await openLog(store, runId, 2, { openedAt: 1 })
    await change(`UPDATE agent_events SET event_json = '{' WHERE seq = 2`)
    const damaged = { code: 'LEDGER_DAMAGED', message: /"b"/ }
    await assert.rejects(store.readPage('b'), damaged)
    assert.equal((await store.readPage('b', { limit: 1 })).items.length, 1)
    for (const details of ['{', '{}', 'null', '{"tenant":5}']) {
      await change(`UPDATE agent_event_logs SET details = '${details}' WHERE run_id = 'b'`)
      await assert.rejects(store.readHeader('b'), damaged)
      await assert.rejects(store.readState('b'), damaged)
      const listed = { finished: false, until: 1 }
      const first = await store.listRuns({ ...listed, limit: 2 })
      assert.deepEqual(first.items, [headerOf('a', { openedAt: 1 })])
      const rest = await store.listRuns({ ...listed, after: first.next! })
      assert.deepEqual([rest.items, rest.next], [[headerOf('c', { openedAt: 1 })], null])
    }
    assert.equal(await store.remove('b'), true)
  })
}
