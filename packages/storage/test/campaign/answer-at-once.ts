import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { append, askEvent, idsOf, openRun, terminalEvent } from '../../src/conformance/samples.ts'
import { openSqlite } from '../../src/index.ts'
import type { Order, Outcomes } from '../answering-process.ts'
import { temporaryRoot } from '../temporary-root.ts'

const processes = 8
const requestIds = Array.from({ length: 10 }, (_, index) => `request ${index}`)

const message = async (child: ChildProcess) => (await once(child, 'message'))[0] as unknown

test(`of ${processes} processes that answer a request at once, exactly one does`, async (t) => {
  const root = temporaryRoot(t)
  const storage = openSqlite(root)
  t.after(() => storage.close())
  const order: Order = { running: idsOf('running', 'i'), waiting: idsOf('waiting', 'j'), requestIds }
  for (const ids of [order.running, order.waiting]) {
    await openRun(storage, ids)
    await append(
      storage,
      ids,
      requestIds.map((requestId) => askEvent(ids, requestId)),
    )
  }
  await append(storage, order.waiting, [terminalEvent(order.waiting, 'waiting')])

  const script = join(import.meta.dirname, '../answering-process.ts')
  // The first one compiles for all.
  const env = { ...process.env, NODE_COMPILE_CACHE: temporaryRoot(t) }
  const start = async () => {
    const child = fork(script, [root], { env, execArgv: ['--conditions=@daybook/source'] })
    t.after(() => child.kill())
    assert.equal(await message(child), 'ready')
    return child
  }
  const first = await start()
  const children = [first, ...(await Promise.all(Array.from({ length: processes - 1 }, start)))]
  const outcomes = await Promise.all(
    children.map((child) => {
      const answered = message(child)
      child.send(order)
      return answered as Promise<Outcomes>
    }),
  )

  const refused = processes - 1
  for (const [index, requestId] of requestIds.entries()) {
    const found = outcomes.map(({ running }) => running[index]!).toSorted()
    assert.deepEqual(found, [...Array.from({ length: refused }, () => 'REQUEST_CLOSED'), 'taken'])
    for (const sessionId of ['running', 'waiting']) {
      const request = await storage.events.readRequest(sessionId, requestId, { tenant: null })
      assert.equal(request?.state, 'approved')
    }
  }
  assert.deepEqual(outcomes.map(({ waiting }) => waiting).toSorted(), [
    ...Array.from({ length: refused }, () => 'TURN_NOT_NEWEST'),
    'taken',
  ])
  assert.deepEqual((await storage.events.verifyStore()).problems, [])
})
