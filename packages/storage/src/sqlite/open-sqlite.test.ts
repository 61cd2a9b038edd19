import assert from 'node:assert/strict'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import Database from 'better-sqlite3'
import { temporaryRoot } from '../../test/temporary-root.ts'
import { append, idsOf, openRun, sessionRecord, textEvent, wholeRun } from '../conformance/samples.ts'
import { createSessionStore } from '../session-store.ts'
import { OPERATIONAL_STATE_DATABASE_NAME } from '../operational-state-store.ts'
import type { SqliteOptions } from './config.ts'
import { openConnection } from './connection.ts'
import { loadDriver } from './driver.ts'
import { migrations } from './migrations/index.ts'
import { openSqlite } from './open-sqlite.ts'

const fileOf = (root: string) => join(root, OPERATIONAL_STATE_DATABASE_NAME)

async function ledgerIn(root: string): Promise<void> {
  const storage = openSqlite(root)
  await wholeRun(storage, idsOf('s', 'i'))
  storage.close()
}

describe('openSqlite', () => {
  test('creates a file that says what it is and how it is kept', (t) => {
    const root = temporaryRoot(t)
    openSqlite(root).close()
    const database = new Database(fileOf(root))
    const pragma = (name: string) => database.pragma(name, { simple: true })
    assert.deepEqual([pragma('application_id'), pragma('journal_mode'), pragma('auto_vacuum')], [0x44415942, 'wal', 2])
    assert.deepEqual(database.prepare('SELECT * FROM meta').all(), [{ schema_version: 1, min_code_version: 1 }])
    database.close()
  })

  test('writes nothing to a file that is current', async (t) => {
    const root = temporaryRoot(t)
    await ledgerIn(root)
    const before = readFileSync(fileOf(root))
    const { mtimeMs } = statSync(fileOf(root))
    const storage = openSqlite(root)
    assert.equal(statSync(`${fileOf(root)}-wal`).size, 0)
    assert.equal((await storage.events.readSessionRuntimeEvents('s')).length, 3)
    storage.close()
    assert.deepEqual(readFileSync(fileOf(root)), before)
    assert.equal(statSync(fileOf(root)).mtimeMs, mtimeMs)
    assert.deepEqual(readdirSync(root), [OPERATIONAL_STATE_DATABASE_NAME])
  })

  test('takes an empty file for a new one', async (t) => {
    const root = temporaryRoot(t)
    writeFileSync(fileOf(root), '')
    await ledgerIn(root)
  })

  test('opens a copy under another name', async (t) => {
    const root = temporaryRoot(t)
    await ledgerIn(root)
    copyFileSync(fileOf(root), join(root, 'copy of it'))
    const storage = openSqlite(root, { fileName: 'copy of it', readOnly: true })
    assert.equal((await storage.events.verifyStore()).ok, true)
    storage.close()
  })

  test('refuses a folder that does not exist, or is none', (t) => {
    const root = temporaryRoot(t)
    writeFileSync(join(root, 'file'), '')
    for (const bad of [join(root, 'missing'), join(root, 'file'), join(root, 'file', 'below')]) {
      assert.throws(() => openSqlite(bad), { code: 'ROOT_UNUSABLE', root: bad })
    }
    assert.deepEqual(readdirSync(root), ['file'])
  })

  test('refuses what is not a ledger and leaves it as it is', (t) => {
    const root = temporaryRoot(t)
    const file = fileOf(root)
    const refused: Record<string, () => void> = {
      text: () => writeFileSync(file, 'no database, whatever it is called\n'.repeat(100)),
      'a little text': () => writeFileSync(file, 'xy'),
      'another database': () => new Database(file).exec('CREATE TABLE t (a)').close(),
      'the database of another application': () => {
        const database = new Database(file)
        database.pragma('application_id = 252006674')
        database.close()
      },
      'a ledger without its schema': () => {
        const database = new Database(file)
        database.pragma(`application_id = ${0x44415942}`)
        database.close()
      },
    }
    for (const [name, write] of Object.entries(refused)) {
      write()
      const before = readFileSync(file)
      for (const readOnly of [false, true]) {
        assert.throws(() => openSqlite(root, { readOnly }), { code: 'NOT_A_LEDGER', file }, name)
        assert.deepEqual(readFileSync(file), before, name)
      }
      writeFileSync(file, '')
    }
  })

  test('refuses a file that newer code has written', async (t) => {
    const root = temporaryRoot(t)
    await ledgerIn(root)
    const database = new Database(fileOf(root))
    database.exec('UPDATE meta SET schema_version = 3, min_code_version = 1')
    const storage = openSqlite(root)
    assert.equal((await storage.events.readSessionRuntimeEvents('s')).length, 3, 'newer, and still for this code too')
    storage.close()
    database.exec('UPDATE meta SET schema_version = 3, min_code_version = 2')
    for (const readOnly of [false, true]) {
      assert.throws(() => openSqlite(root, { readOnly }), { code: 'NEWER_LEDGER', minCodeVersion: 2, codeVersion: 1 })
    }
    database.close()
  })

  test('refuses a place where SQLite can keep no log', () => {
    assert.throws(() => openConnection(':memory:', false, migrations), { code: 'ROOT_UNUSABLE' })
  })

  test('refuses options that it does not know', (t) => {
    const root = temporaryRoot(t)
    const refused = {
      durability: ['none', null],
      busyTimeoutMs: [-1, 0.5, Number.NaN, 2 ** 31],
      maxBytes: [1, Number.NaN, '1 GB'],
      fileName: ['', '.', '..', '../other', 'a/b', 'a\0', 5],
      readOnly: ['yes', 1],
      now: [5],
      onLogGrowth: ['x'],
      toString: [1],
    }
    for (const [field, values] of Object.entries(refused)) {
      for (const value of values) {
        assert.throws(() => openSqlite(root, { [field]: value }), { code: 'INVALID_INPUT', field })
      }
    }
    for (const options of [null, 'normal']) {
      assert.throws(() => openSqlite(root, options as never), { code: 'INVALID_INPUT', field: 'options' })
    }
    assert.throws(() => openSqlite(root, { readonly: true } as SqliteOptions), {
      code: 'INVALID_INPUT',
      field: 'readonly',
      message: /readOnly/,
    })
    assert.deepEqual(readdirSync(root), [])
  })

  test('refuses a root that is no path, such as the empty one', (t) => {
    const folder = temporaryRoot(t)
    for (const root of ['', pathToFileURL(folder), undefined, null, 5]) {
      assert.throws(() => openSqlite(root as string), { code: 'INVALID_INPUT', field: 'root' })
    }
    assert.equal(existsSync(OPERATIONAL_STATE_DATABASE_NAME), false)
    assert.deepEqual(readdirSync(folder), [])
  })

  test('says that Node.js is too old before it loads anything native', () => {
    for (const version of ['20.20.2', '22.17.1', '18.0.0']) {
      assert.throws(() => loadDriver(version), { code: 'UNSUPPORTED_NODE' })
    }
    for (const version of ['22.18.0', '24.0.0', '26.1.0-nightly']) assert.ok(loadDriver(version))
  })
})

describe('openSqlite read-only', () => {
  test('reads while another writes, and refuses to write', async (t) => {
    const root = temporaryRoot(t)
    const writer = openSqlite(root)
    const reader = openSqlite(root, { readOnly: true })
    t.after(() => [reader, writer].forEach((storage) => storage.close()))
    const ids = idsOf('s', 'i')
    await openRun(writer, ids)
    assert.equal((await reader.events.readSessionRuntimeEvents('s')).length, 1)
    await append(writer, ids, [textEvent(ids, 'a')])
    assert.equal((await reader.events.readSessionRuntimeEvents('s')).length, 2)
    assert.equal((await reader.events.verifyStore()).ok, true)
    await assert.rejects(append(reader, ids, [textEvent(ids, 'b')]), { code: 'STORAGE_READ_ONLY' })
    await assert.rejects(reader.sessions.create(sessionRecord('t')), { code: 'STORAGE_READ_ONLY' })
    assert.equal((await writer.events.readSessionRuntimeEvents('s')).length, 2)
  })

  test('creates nothing', (t) => {
    const root = temporaryRoot(t)
    assert.throws(() => openSqlite(root, { readOnly: true }), { code: 'NOT_A_LEDGER', message: /no such file/ })
    assert.equal(existsSync(fileOf(root)), false)
  })
})

describe('openSqlite in a folder that may only be read', () => {
  /** Root may write everywhere, so these tests give up being root meanwhile. */
  function asNobody<Result>(run: () => Result): Result {
    if (process.geteuid!() !== 0) return run()
    process.seteuid!(65_534)
    try {
      return run()
    } finally {
      process.seteuid!(0)
    }
  }

  test('refuses to create a ledger', (t) => {
    const root = temporaryRoot(t)
    chmodSync(root, 0o555)
    asNobody(() => assert.throws(() => openSqlite(root), { code: 'ROOT_UNUSABLE', root }))
    assert.deepEqual(readdirSync(root), [])
    chmodSync(root, 0o755)
  })

  test('refuses a ledger, and reads it where the files beside it are there', async (t) => {
    const root = temporaryRoot(t)
    await ledgerIn(root)
    const setMode = (folder: number, file: number) => {
      chmodSync(root, folder)
      for (const name of readdirSync(root)) chmodSync(join(root, name), file)
    }
    setMode(0o555, 0o444)
    for (const [readOnly, message] of [
      [false, /cannot be written/],
      [true, /copy it/],
    ] as const) {
      asNobody(() => assert.throws(() => openSqlite(root, { readOnly }), { code: 'ROOT_UNUSABLE', root, message }))
    }
    setMode(0o555, 0o000)
    for (const [readOnly, message] of [
      [false, /daybook\.sqlite cannot be opened/],
      [true, /daybook\.sqlite cannot be read/],
    ] as const) {
      asNobody(() => assert.throws(() => openSqlite(root, { readOnly }), { code: 'ROOT_UNUSABLE', root, message }))
    }
    setMode(0o755, 0o644)
    const writer = openSqlite(root)
    setMode(0o555, 0o444)
    const reader = asNobody(() => openSqlite(root, { readOnly: true }))
    assert.equal((await reader.events.readSessionRuntimeEvents('s')).length, 3)
    reader.close()
    writer.close()
    assert.deepEqual(readdirSync(root), [OPERATIONAL_STATE_DATABASE_NAME])
    chmodSync(root, 0o755)
  })
})

describe('stores of one folder', () => {
  test('share a connection, whatever the folder is called', async (t) => {
    const root = temporaryRoot(t)
    const [folder, link] = [join(root, 'folder'), join(root, 'link')]
    mkdirSync(folder)
    symlinkSync(folder, link)
    const [first, second] = [openSqlite(folder), createSessionStore(join(link, '..', 'link'))]
    assert.equal(first.identity, second.storage)
    assert.equal(first.runs.storage, first.events.storage)
    await first.sessions.create(sessionRecord('s'))
    first.close()
    assert.equal((await second.read('s', { tenant: null }))?.id, 's')
    assert.ok(existsSync(`${fileOf(folder)}-wal`))
    second.close()
    assert.equal(existsSync(`${fileOf(folder)}-wal`), false)
  })

  test('are of another storage in another folder', (t) => {
    const [first, second] = [openSqlite(temporaryRoot(t)), openSqlite(temporaryRoot(t))]
    assert.notEqual(first.identity, second.identity)
    first.close()
    second.close()
  })
})
