import assert from 'node:assert/strict'
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { VerifyReport } from '@daybook/core'
import Database from 'better-sqlite3'
import { idsOf, wholeRun } from '../src/conformance/samples.ts'
import { OPERATIONAL_STATE_DATABASE_NAME } from '../src/operational-state-store.ts'
import { openSqlite } from '../src/sqlite/open-sqlite.ts'
import { temporaryRoot } from './temporary-root.ts'

const parts = [
  'runtime_events',
  'runtime_events_invocation',
  'runtime_events_session',
  'runtime_events_terminals',
  'runtime_heads',
  'agent_runs',
  'sessions',
]

for (const name of parts) {
  test(`verify reports an overwritten page of ${name}, and does not throw`, async (context) => {
    const file = await writeLedger(context)
    const database = new Database(file)
    const pageSize = database.pragma('page_size', { simple: true }) as number
    const pageOf = database.prepare<[string], number>('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck()
    const offset = (pageOf.get(name)! - 1) * pageSize
    database.close()
    overwrite(file, offset, Buffer.alloc(pageSize, 0x5a))
    const report = await verify(context, file)
    assert.ok(
      report.problems.some(({ code }) => code === 'storage_damaged'),
      JSON.stringify(report.problems),
    )
  })
}

test('verify names the event of which one byte was flipped in the file', async (context) => {
  const file = await writeLedger(context)
  const bytes = readFileSync(file)
  const offset = bytes.indexOf('"text":"text"') + 8
  overwrite(file, offset, Buffer.of(bytes[offset]! ^ 1))
  const { problems } = await verify(context, file)
  assert.deepEqual(
    problems.map(({ code, eventSeq }) => [code, eventSeq]),
    [['payload_digest', 2]],
  )
})

/** Two sessions of one run each. Returns the file. */
async function writeLedger(context: TestContext): Promise<string> {
  const root = temporaryRoot(context)
  const storage = openSqlite(root, { durability: 'normal' })
  await wholeRun(storage, idsOf('s', 'i'))
  await wholeRun(storage, idsOf('t', 'j'))
  storage.close()
  return join(root, OPERATIONAL_STATE_DATABASE_NAME)
}

function overwrite(file: string, offset: number, bytes: Buffer): void {
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, bytes, 0, bytes.length, offset)
  closeSync(descriptor)
}

async function verify(context: TestContext, file: string): Promise<VerifyReport> {
  const storage = openSqlite(dirname(file), { durability: 'normal' })
  context.after(() => storage.close())
  return storage.events.verifyStore()
}
