import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import type { OpenedStorage } from '@daybook/core'
import Database from 'better-sqlite3'
import { temporaryRoot } from '../../../test/temporary-root.ts'
import { append, idsOf, openRun, sessionRecord, terminalEvent, textEvent } from '../../conformance/samples.ts'
import { OPERATIONAL_STATE_DATABASE_NAME } from '../../operational-state-store.ts'
import { migrations } from '../migrations/index.ts'
import { openConnection } from '../connection.ts'
import { openSqlite } from '../open-sqlite.ts'
import { prepareOperations } from '../operations.ts'
import { rebuildSearch } from '../rebuild-search.ts'

const scope = { tenant: null }
const ids = idsOf('s', 'i')

function open(context: TestContext, root: string = temporaryRoot(context)) {
  const storage = openSqlite(root, { durability: 'normal' })
  const file = join(root, OPERATIONAL_STATE_DATABASE_NAME)
  const database = new Database(file)
  context.after(() => {
    database.close()
    storage.close()
  })
  const indexed = () =>
    database.prepare<[], { titles: number; said: number }>('SELECT titles, said FROM search_state').get()
  return { storage, root, file, database, indexed }
}

async function found(storage: OpenedStorage, text: string): Promise<string[]> {
  return (await storage.sessions.search({ scope, text })).items.map(({ excerpt }) => excerpt)
}

function texts(from: number, count: number, text: string) {
  return Array.from({ length: count }, (_, index) => textEvent(ids, `e${from + index}`, `${text} ${from + index}`))
}

describe('the index of search', () => {
  test('is not written by what is appended and created, and is brought up to date by a search', async (t) => {
    const { storage, indexed } = open(t)
    await openRun(storage, ids)
    await append(storage, ids, texts(0, 10, 'word'))
    await storage.sessions.create(sessionRecord('t', { title: 'word' }))
    assert.deepEqual(indexed(), { titles: 0, said: 0 })
    assert.equal((await found(storage, 'word')).length, 11)
    assert.deepEqual(indexed(), { titles: 2, said: 11 })
  })

  test('lets others write while it is brought up to date', async (t) => {
    const { storage } = open(t)
    await openRun(storage, ids)
    for (let batch = 0; batch < 20; batch += 1)
      await append(storage, ids, texts(batch * 20, 20, 'many words '.repeat(200)))
    const order: string[] = []
    const searching = found(storage, 'many').then(() => order.push('search'))
    for (let index = 0; index < 5; index += 1) {
      await append(storage, ids, [textEvent(ids, `during ${index}`)])
      order.push('append')
    }
    await searching
    assert.deepEqual(order, ['append', 'append', 'append', 'append', 'append', 'search'])
  })

  test('is brought up to date by several searches at once', async (t) => {
    const { storage } = open(t)
    await openRun(storage, ids)
    for (let batch = 0; batch < 5; batch += 1)
      await append(storage, ids, texts(batch * 20, 20, 'several words '.repeat(200)))
    const answers = await Promise.all(Array.from({ length: 5 }, () => found(storage, 'several')))
    for (const answer of answers) assert.equal(answer.length, 20)
    assert.deepEqual((await storage.events.verifyStore()).problems, [])
  })

  test('forgets what a process removed that died before it removed the words', async (t) => {
    const { storage, file } = open(t)
    await openRun(storage, ids)
    await append(storage, ids, [...texts(0, 50, 'gone'), terminalEvent(ids)])
    await storage.sessions.update({ sessionId: 's', scope, changes: { title: 'gone too' } })
    assert.equal((await found(storage, 'gone')).length, 20)
    const other = openConnection(file, false, migrations)
    const { removeSession } = prepareOperations(other)
    other.transaction(() => removeSession('s', scope, false)()).immediate()
    other.close()
    assert.deepEqual((await storage.events.verifyStore()).problems, [])
    // These get the numbers of what was removed.
    await openRun(storage, idsOf('t', 'j'))
    await append(storage, idsOf('t', 'j'), [textEvent(idsOf('t', 'j'), 'new', 'new')])
    assert.deepEqual([await found(storage, 'gone'), await found(storage, 'new')], [[], ['new']])
    assert.deepEqual((await storage.events.verifyStore()).problems, [])
  })

  test('begins anew where its words were made with another Unicode', async (t) => {
    const { storage, database, indexed } = open(t)
    await openRun(storage, ids)
    await append(storage, ids, [textEvent(ids, 'a', 'some word'), terminalEvent(ids)])
    assert.deepEqual(await found(storage, 'word'), ['some word'])
    database.exec("UPDATE search_state SET unicode = '1.0'; INSERT INTO search_said (rowid, words) VALUES (1, 'stray')")
    assert.deepEqual((await storage.events.verifyStore()).problems, [])
    assert.deepEqual([await found(storage, 'word'), indexed()?.said], [['some word'], 3])
    database.exec("UPDATE search_state SET unicode = '1.0'")
    assert.equal(await storage.sessions.remove('s', scope), true)
    assert.deepEqual(indexed(), { titles: 0, said: 0 })
  })

  test('answers to read alone where it is up to date, and says where it is not', async (t) => {
    const { storage, root } = open(t)
    await openRun(storage, ids)
    await append(storage, ids, [textEvent(ids, 'a', 'a word')])
    const reader = openSqlite(root, { readOnly: true })
    t.after(() => reader.close())
    await assert.rejects(found(reader, 'word'), { code: 'STORAGE_READ_ONLY' })
    await found(storage, 'word')
    assert.deepEqual(await found(reader, 'word'), ['a word'])
    assert.deepEqual((await reader.events.verifyStore()).problems, [])
  })

  for (const [what, sql] of Object.entries({
    'a word too much': "INSERT INTO search_said (rowid, words) VALUES (2, 'stray')",
    'a word of nothing': "INSERT INTO search_said (rowid, words) VALUES (99, 'word')",
    'a word too few': "INSERT INTO search_said (search_said, rowid, words) VALUES ('delete', 2, 'word')",
    'a title too few': "INSERT INTO search_titles (search_titles, rowid, words) VALUES ('delete', 1, 'title')",
    'another title': "UPDATE sessions SET title = 'entitled'",
    'nothing in it': "INSERT INTO search_said (search_said) VALUES ('delete-all')",
    'a place that it has not come to': 'UPDATE search_state SET said = 1',
  })) {
    test(`is seen to have ${what}, and is rebuilt`, async (t) => {
      const { storage, root, database } = open(t)
      await openRun(storage, ids)
      await append(storage, ids, [textEvent(ids, 'a', 'the word')])
      await storage.sessions.update({ sessionId: 's', scope, changes: { title: 'the title' } })
      await found(storage, 'word')
      database.exec(sql)
      const codes = async () => (await storage.events.verifyStore()).problems.map(({ code }) => code)
      assert.ok((await codes()).includes('search_differs'))
      await rebuildSearch(root, { durability: 'normal' })
      assert.ok(!(await codes()).includes('search_differs'))
      assert.deepEqual(await found(storage, 'word'), ['the word'])
    })
  }
})
