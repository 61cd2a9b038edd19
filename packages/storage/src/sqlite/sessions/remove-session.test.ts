import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { OPERATIONAL_STATE_DATABASE_NAME } from '../../operational-state-store.ts'
import { append, idsOf, openRun, sessionRecord, terminalEvent, textEvent } from '../../conformance/samples.ts'
import { temporaryRoot } from '../../../test/temporary-root.ts'
import { openSqlite } from '../open-sqlite.ts'

test('removing a session leaves nothing of it in the files', async (t) => {
  const root = temporaryRoot(t)
  const storage = openSqlite(root)
  const secret = 'only-in-the-removed-session'
  const runs = Array.from({ length: 40 }, (_, index) => {
    const [session, mark] = index % 2 === 0 ? [`${secret} session`, secret] : ['kept session', 'kept']
    return { mark, ids: idsOf(session, `${mark} invocation ${index}`) }
  })
  for (const id of [`${secret} session`, 'kept session']) {
    const mark = `${id} metadata`
    await storage.sessions.create(
      sessionRecord(id, { title: mark, subject: mark, externalId: mark, settings: { [mark]: mark }, labels: [mark] }),
    )
  }
  for (const { ids } of runs) await openRun(storage, ids, { exclusive: false })
  // Rows of both sessions side by side, small and with overflow pages, so that pages are split and merged.
  for (let round = 0; round < 12; round += 1) {
    await Promise.all(
      runs.map(({ ids, mark }, index) =>
        append(storage, ids, [
          textEvent(ids, `${mark} event ${round}`, `${mark} `.repeat(((round * 7 + index) % 30) ** 2)),
        ]),
      ),
    )
  }
  for (const { ids } of runs) await append(storage, ids, [terminalEvent(ids)])
  const file = join(root, OPERATIONAL_STATE_DATABASE_NAME)
  const found = () => [file, `${file}-wal`].filter((name) => existsSync(name) && readFileSync(name).includes(secret))
  assert.notDeepEqual(found(), [])
  const database = new Database(file)
  const pages = () => database.pragma('page_count', { simple: true }) as number
  const pagesBefore = pages()

  assert.equal(await storage.sessions.remove(`${secret} session`, { tenant: null }), true)

  assert.deepEqual(found(), [])
  assert.ok(pages() < pagesBefore * 0.7, `${pagesBefore} pages became ${pages()}`)
  assert.equal(database.pragma('freelist_count', { simple: true }), 0)
  assert.equal((await storage.events.verifyStore()).ok, true)
  assert.equal((await storage.events.readSessionRuntimeEvents('kept session')).length, 20 * 14)
  assert.equal(database.pragma('integrity_check', { simple: true }), 'ok')
  database.close()
  storage.close()
  assert.deepEqual(found(), [])
})
