import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { OPERATIONAL_STATE_DATABASE_NAME } from '../../operational-state-store.ts'
import {
  answerEvent,
  append,
  askEvent,
  idsOf,
  openRun,
  sessionRecord,
  terminalEvent,
  textEvent,
} from '../../conformance/samples.ts'
import { temporaryRoot } from '../../../test/temporary-root.ts'
import { openSqlite } from '../open-sqlite.ts'

const scope = { tenant: null }

test('removing a session leaves nothing of it in the files', async (t) => {
  const root = temporaryRoot(t)
  const storage = openSqlite(root)
  const secret = 'onlyintheremovedsession'
  const runs = Array.from({ length: 40 }, (_, index) => {
    const [session, mark] = index % 2 === 0 ? [`${secret} session`, secret] : ['kept session', 'kept']
    return { mark, ids: idsOf(session, `${mark} invocation ${index}`) }
  })
  for (const id of [`${secret} session`, 'kept session']) {
    const mark = `${id} metadata`
    await storage.sessions.create(sessionRecord(id, { title: mark, subject: mark, externalId: mark, labels: [mark] }))
  }
  const changes = { settings: { [secret]: secret }, title: `${secret}s, named anew`, cwd: secret }
  await storage.sessions.update({ sessionId: `${secret} session`, scope, changes, by: secret })
  for (const { ids } of runs) await openRun(storage, ids, { exclusive: false })
  // Rows of both sessions side by side, small and with overflow pages, so that pages are split and merged.
  for (let round = 0; round < 12; round += 1) {
    await Promise.all(
      runs.map(({ ids, mark }, index) =>
        append(storage, ids, [
          textEvent(ids, `${mark} event ${round}`, `${mark}${round}x${index} `.repeat(((round * 7 + index) % 30) ** 2)),
          askEvent(ids, `${mark} request ${round} of ${index}`),
        ]),
      ),
    )
    // The words come into the index in several parts, and a title among them that is changed later.
    assert.equal((await storage.sessions.search({ scope, text: secret, limit: 1 })).items.length, 1)
  }
  for (const [index, { ids, mark }] of runs.entries()) {
    await append(storage, ids, [answerEvent(ids, `${mark} request 0 of ${index}`, { by: mark }), terminalEvent(ids)])
  }
  const file = join(root, OPERATIONAL_STATE_DATABASE_NAME)
  const found = () => [file, `${file}-wal`].filter((name) => existsSync(name) && readFileSync(name).includes(secret))
  assert.notDeepEqual(found(), [])
  const database = new Database(file)
  database.exec('CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, search_said, row)')
  const words = (like: string) =>
    database.prepare<[string], number>('SELECT count(*) FROM temp.words WHERE term GLOB ?').pluck().get(like)!
  assert.ok(words(`${secret}*`) > 200)
  const pages = () => database.pragma('page_count', { simple: true }) as number
  const pagesBefore = pages()

  assert.equal(await storage.sessions.remove(`${secret} session`, scope), true)

  assert.deepEqual(found(), [])
  assert.ok(pages() < pagesBefore * 0.7, `${pagesBefore} pages became ${pages()}`)
  assert.equal(database.pragma('freelist_count', { simple: true }), 0)
  assert.equal(words(`${secret}*`), 0)
  assert.ok(words('kept*') > 200)
  assert.deepEqual((await storage.events.verifyStore()).problems, [])
  assert.equal((await storage.events.readSessionRuntimeEvents('kept session')).length, 20 * 27)
  assert.equal(database.pragma('integrity_check', { simple: true }), 'ok')
  database.close()
  storage.close()
  assert.deepEqual(found(), [])
})
