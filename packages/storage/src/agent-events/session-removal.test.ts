import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { OpenedStorage } from '@daybook/core'
import { openLog, seqsOf } from '../conformance/agent-events/samples.ts'
import { sessionRecord } from '../conformance/samples.ts'
import { openMemory } from '../memory/open-memory.ts'
import { openSqlite } from '../sqlite/open-sqlite.ts'
import { temporaryRoot } from '../../test/temporary-root.ts'

async function removeWithLogs(storage: OpenedStorage): Promise<void> {
  const { sessions, agentEvents } = storage
  for (const id of ['gone', 'kept']) {
    await sessions.create(sessionRecord(id))
    for (const run of [1, 2]) await openLog(agentEvents, `run ${run} of ${id}`, 20, { threadId: id })
  }
  const told = new Set<string>()
  for (const runId of ['run 1 of gone', 'run 2 of gone', 'run 1 of kept'])
    agentEvents.watch!(runId, () => told.add(runId))

  assert.equal(await sessions.remove('gone', { tenant: null }), true)

  assert.deepEqual([...told], ['run 1 of gone', 'run 2 of gone'])
  for (const run of [1, 2]) {
    assert.equal(await agentEvents.readState(`run ${run} of gone`), undefined)
    assert.equal((await seqsOf(agentEvents, `run ${run} of kept`))?.length, 20)
  }
}

test('memory: removing a session removes the logs of its runs', async () => {
  await removeWithLogs(openMemory())
})

test('sqlite: removing a session removes the logs of its runs, and leaves nothing of them in the files', async (t) => {
  const root = temporaryRoot(t)
  const storage = openSqlite(root)
  await removeWithLogs(storage)
  const files = ['daybook.sqlite', 'daybook.sqlite-wal'].map((name) => join(root, name))
  for (const file of files) assert.ok(!existsSync(file) || !readFileSync(file).includes('of gone'), file)
  storage.close()
})
