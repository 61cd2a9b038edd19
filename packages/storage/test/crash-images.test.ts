import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { OpenedStorage } from '@daybook/core'
import { DaybookError } from '@daybook/core'
import Database from 'better-sqlite3'
import {
  append,
  idsOf,
  openRun,
  openRequest,
  sessionRecord,
  terminalEvent,
  textEvent,
} from '../src/conformance/samples.ts'
import { openSqlite } from '../src/index.ts'
import { OPERATIONAL_STATE_DATABASE_NAME as fileName } from '../src/operational-state-store.ts'
import { completeCommits, damages, frameAt } from './log-images.ts'
import { temporaryRoot } from './temporary-root.ts'

/** `.ci/campaigns/12-crash-images.sh` asks for more. */
const images = Number(process.env.DAYBOOK_CRASH_IMAGES ?? 24)

const sessionIds = ['s', 't']
const [first, other, second] = [idsOf('s', 'i'), idsOf('t', 'j'), idsOf('s', 'k')]

/** Each is one request, and so one transaction. */
function* requests(storage: OpenedStorage): Generator<() => Promise<unknown>> {
  for (const id of sessionIds) yield () => storage.sessions.create(sessionRecord(id))
  for (const ids of [first, other]) yield () => storage.runs.openRun(openRequest(ids))
  for (let step = 0; step < 12; step += 1) {
    const ids = step % 3 === 0 ? other : first
    // The larger ones need pages of their own.
    const batch = Array.from({ length: 1 + (step % 4) }, (_, index) =>
      textEvent(ids, `${step}-${index}`, String(step).repeat(40 * (1 + (step % 5)) ** 3)),
    )
    yield () => append(storage, ids, batch)
  }
  yield () => append(storage, first, [textEvent(first, 'last'), terminalEvent(first)])
  yield () => storage.runs.openRun(openRequest(second))
  yield () => append(storage, second, [textEvent(second, 'a'), textEvent(second, 'b')])
  yield () => append(storage, other, [terminalEvent(other)])
}

test(`a log that was cut or changed gives an error or what was committed before the place, ${images} times`, async (t) => {
  const run = await realRun(t)
  const unlike = new Set<string>()
  for (let number = 0; number < images; number += 1) {
    const position = Math.floor(((number + Math.random()) * run.log.length) / images)
    const kind = damages[number % damages.length]!
    const root = join(run.root, 'image')
    mkdirSync(root)
    copyFileSync(run.file, join(root, fileName))
    writeFileSync(join(root, `${fileName}-wal`), kind.damage(run.log, position))
    const committed = completeCommits(run.log, frameAt(position))
    unlike.add(String(committed))
    await t.test(`${kind.name} at byte ${position}`, async () => {
      const found = await whatIsThere(root)
      if (found !== 'damaged') assert.equal(found, run.states[run.moved + committed])
    })
    rmSync(root, { recursive: true })
  }
  assert.ok(unlike.size > 5, 'the images are of many moments')
})

interface RealRun {
  readonly root: string
  /** The file as it was when `moved` transactions had been moved into it, and the log with those since then. */
  readonly file: string
  readonly log: Buffer
  readonly moved: number
  /** What the ledger held after so many transactions. */
  readonly states: readonly string[]
}

async function realRun(t: TestContext): Promise<RealRun> {
  const root = temporaryRoot(t)
  const live = join(root, fileName)
  openSqlite(root).close()
  const storage = openSqlite(root)
  const states = [await stateOf(storage)]
  const moved = 8
  for (const request of requests(storage)) {
    await request()
    states.push(await stateOf(storage))
    if (states.length - 1 !== moved) continue
    // From here on the log is written from its beginning, over the frames of before.
    const database = new Database(live)
    database.pragma('wal_checkpoint(RESTART)')
    database.close()
  }
  const file = join(root, 'file')
  copyFileSync(live, file)
  const log = readFileSync(`${live}-wal`)
  storage.close()
  assert.equal(moved + completeCommits(log, Infinity), states.length - 1)
  return { root, file, log, moved, states }
}

async function stateOf({ sessions, runs, events }: OpenedStorage): Promise<string> {
  const stored = await Promise.all(
    sessionIds.map(async (id) => [
      await sessions.read(id, { tenant: null }),
      await events.readSessionRuntimeEvents(id),
      await events.listSessionInvocations(id),
      await runs.readActiveRun(id),
    ]),
  )
  return JSON.stringify(stored)
}

/** The state of the ledger in the folder, which goes on from there and is whole; or that it says that it is damaged. */
async function whatIsThere(root: string): Promise<string> {
  let storage: OpenedStorage | undefined
  try {
    storage = openSqlite(root, { durability: 'normal' })
    const state = await stateOf(storage)
    const next = idsOf('u', 'next')
    await openRun(storage, next)
    await append(storage, next, [terminalEvent(next)])
    assert.deepEqual((await storage.events.verifyStore()).problems, [])
    return state
  } catch (error) {
    if (DaybookError.is(error) && error.family === 'damage') return 'damaged'
    throw error
  } finally {
    storage?.close()
  }
}
