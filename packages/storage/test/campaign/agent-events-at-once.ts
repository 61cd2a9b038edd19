import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  createFileAgentEventStore,
  createPostgresAgentEventStore,
  createSqliteAgentEventStore,
} from '../../src/agent-event-store.ts'
import { headerOf } from '../../src/conformance/agent-events/samples.ts'
import type { Order } from '../agent-event-process.ts'
import { createPostgresSchema } from '../postgres-schema.ts'
import { temporaryRoot } from '../temporary-root.ts'

/** How many rows each of the processes that live wins. */
const someRows = 25

/** A place without logs, and the store of this process there. */
const places = {
  async file(t: TestContext) {
    const place = temporaryRoot(t)
    const store = createFileAgentEventStore(place)
    t.after(() => store.close())
    return { place, open: () => store }
  },
  async sqlite(t: TestContext) {
    const place = temporaryRoot(t)
    const open = () => {
      const store = createSqliteAgentEventStore(place)
      t.after(() => store.close?.())
      return store
    }
    return { place, open }
  },
  async postgres(t: TestContext) {
    const schema = await createPostgresSchema()
    const open = () => {
      const sql = schema.connect()
      t.after(() => sql.close())
      return createPostgresAgentEventStore(sql)
    }
    return { place: schema.url, open }
  },
}

async function answer(child: ChildProcess): Promise<unknown> {
  const [message] = (await once(child, 'message')) as [{ result: unknown; error?: string }]
  assert.equal(message.error, undefined)
  return message.result
}

function tell(child: ChildProcess, order: Order): Promise<unknown> {
  const answered = answer(child)
  child.send(order)
  return answered
}

for (const [kind, findPlace] of Object.entries(places)) {
  test(`${kind}: processes append, claim and remove at once, and one of them is killed`, async (t) => {
    const { place, open } = await findPlace(t)
    const script = join(import.meta.dirname, '../agent-event-process.ts')
    const env = { ...process.env, NODE_COMPILE_CACHE: temporaryRoot(t) }
    const start = async () => {
      const child = fork(script, [kind, place, String(someRows)], { env, execArgv: ['--conditions=@daybook/source'] })
      t.after(() => child.kill('SIGKILL'))
      await answer(child)
      return child
    }
    // The first one compiles for all.
    const victim = await start()
    const survivors = await Promise.all([start(), start()])
    const children = [victim, ...survivors]
    // All find nothing there, and create what the store needs.
    assert.deepEqual(await Promise.all(children.map((child) => tell(child, 'open'))), [0, 0, 0])

    const store = await open()
    await store.writeHeader(headerOf('r'))
    const told = new Promise<void>((resolve) => void (store.watch?.('r', resolve) ?? resolve()))
    const won = Promise.all(survivors.map((child) => tell(child, 'append some')))
    victim.send('append for ever' satisfies Order)
    while ((await store.maxSeq('r')) < someRows) await delay(1)
    victim.kill('SIGKILL')
    await told

    for (const [index, seqs] of ((await won) as number[][]).entries()) {
      assert.equal(seqs.length, someRows)
      for (const seq of seqs) assert.equal(await store.readWriteId('r', seq), String(survivors[index]!.pid))
    }
    const { rows } = (await store.read('r'))!
    assert.deepEqual(
      rows.map(({ seq }) => seq),
      rows.map((_, index) => index + 1),
    )
    const ofVictim = rows.filter(({ event }) => event.stepName === `${victim.pid} `.repeat(50)).length
    assert.equal(rows.length, 2 * someRows + ofVictim)
    await store.append('r', { seq: rows.length + 1, event: { type: 'RUN_FINISHED' }, finishedAt: 1 })

    for (const order of ['claim', 'remove'] as const) {
      const answers = await Promise.all(survivors.map((child) => tell(child, order)))
      assert.equal(answers.filter(Boolean).length, 1, order)
    }
    assert.equal(await store.readState('r'), undefined)
    for (const child of survivors) {
      child.send('end' satisfies Order)
      await once(child, 'exit')
    }
  })
}
