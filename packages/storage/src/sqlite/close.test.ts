import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OpenedStorage } from '@daybook/core'
import { temporaryRoot } from '../../test/temporary-root.ts'
import { append, idsOf, openRun, sessionRecord, textEvent } from '../conformance/samples.ts'
import { openSqlite } from './open-sqlite.ts'

const ids = idsOf('s', 'i')
const closed = { code: 'STORAGE_CLOSED' }

function appends(storage: OpenedStorage, from: number, count: number): Promise<unknown>[] {
  return Array.from({ length: count }, (_, index) => append(storage, ids, [textEvent(ids, `e${from + index}`)]))
}

describe('closing', () => {
  test('commits what was asked for and refuses what comes after it', async (t) => {
    const root = temporaryRoot(t)
    const storage = openSqlite(root)
    await openRun(storage, ids)
    const before = appends(storage, 0, 50)
    storage.close()
    const after = appends(storage, 50, 50)
    storage.close()
    assert.ok((await Promise.allSettled(before)).every((one) => one.status === 'fulfilled'))
    for (const one of await Promise.allSettled(after))
      assert.equal(one.status === 'rejected' && one.reason.code, closed.code)
    const reopened = openSqlite(root)
    assert.equal((await reopened.events.readSessionRuntimeEvents('s')).length, 51)
    reopened.close()
  })

  test('is safe between any two turns of the event loop', async (t) => {
    for (let turns = 0; turns < 6; turns += 1) {
      const root = temporaryRoot(t)
      const storage = openSqlite(root)
      await openRun(storage, ids)
      let acknowledged = 0
      const writing = (async () => {
        for (let index = 0; ; index += 1)
          acknowledged += (await append(storage, ids, [textEvent(ids, `e${index}`)])).length
      })()
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      storage.close()
      await assert.rejects(writing, closed)
      const reopened = openSqlite(root)
      assert.equal((await reopened.events.readSessionRuntimeEvents('s')).length, acknowledged + 1)
      reopened.close()
    }
  })

  test('closes one store and leaves the others open', async (t) => {
    const storage = openSqlite(temporaryRoot(t))
    await openRun(storage, ids)
    const asked = append(storage, ids, [textEvent(ids, 'a')])
    storage.events.close()
    assert.equal((await asked).length, 1)
    await assert.rejects(storage.events.readSessionRuntimeEvents('s'), closed)
    await storage.sessions.create(sessionRecord('t'))
    assert.equal((await storage.runs.readRun(ids.runId))?.state, 'running')
    storage.close()
    await assert.rejects(storage.runs.readRun(ids.runId), closed)
  })

  test('ends a read of many pages with an error, not with a part', async (t) => {
    const storage = openSqlite(temporaryRoot(t), { durability: 'normal' })
    await openRun(storage, ids)
    const many = Array.from({ length: 1_500 }, (_, index) => textEvent(ids, `e${index}`))
    await append(storage, ids, many)
    const reading = storage.events.readSessionRuntimeEvents('s')
    storage.close()
    await assert.rejects(reading, closed)
  })
})
