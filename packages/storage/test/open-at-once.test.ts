import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { OPERATIONAL_STATE_DATABASE_NAME } from '../src/operational-state-store.ts'
import { openSqlite } from '../src/index.ts'
import type { Order } from './opening-process.ts'
import { temporaryRoot } from './temporary-root.ts'

/** `.ci/campaigns/13-open-at-once.sh` asks for 60. */
const processes = Number(process.env.DAYBOOK_PROCESSES ?? 8)

const answer = async (child: ChildProcess) => (await once(child, 'message'))[0] as string

test(`${processes} processes create a ledger at once, and then migrate the old one at once`, async (t) => {
  const root = temporaryRoot(t)
  const script = join(import.meta.dirname, 'opening-process.ts')
  // The first one compiles for all.
  const env = { ...process.env, NODE_COMPILE_CACHE: temporaryRoot(t) }
  const start = async () => {
    const child = fork(script, [root], { env, execArgv: ['--conditions=@daybook/source'] })
    t.after(() => child.kill())
    assert.equal(await answer(child), 'ready')
    return child
  }
  const first = await start()
  const children = [first, ...(await Promise.all(Array.from({ length: processes - 1 }, start)))]
  const tell = (order: Order) =>
    Promise.all(
      children.map((child) => {
        const answered = answer(child)
        child.send(order)
        return answered
      }),
    )

  assert.deepEqual(new Set(await tell('create')), new Set(['opened']))
  const storage = openSqlite(root)
  assert.equal((await storage.sessions.list({ scope: { tenant: null }, limit: 1000 })).items.length, processes)
  storage.close()

  assert.deepEqual(new Set(await tell('migrate')), new Set(['opened']))
  assert.throws(() => openSqlite(root), { code: 'NEWER_LEDGER', minCodeVersion: 2, codeVersion: 1 })
  const database = new Database(join(root, OPERATIONAL_STATE_DATABASE_NAME))
  assert.deepEqual(database.prepare('SELECT * FROM meta').all(), [{ schema_version: 2, min_code_version: 2 }])
  assert.equal(database.prepare('SELECT count(*) FROM openings').pluck().get(), processes)
  assert.equal(database.prepare('SELECT count(more IS NULL) FROM sessions').pluck().get(), processes)
  assert.equal(database.pragma('integrity_check', { simple: true }), 'ok')
  database.close()
})
