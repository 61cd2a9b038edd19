import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { NotALedgerError, RootUnusableError, StorageReadOnlyError } from '@daybook/core'
import { type Database, loadDriver } from './driver.ts'
import { isBusy, sqliteCode, storageError } from './errors.ts'
import { isCurrent, migrate, readSchemaState } from './migrations/migrate.ts'
import type { Migration } from './migrations/migration.ts'
import { backOffMs, blockingWaitMs } from './pacing.ts'

/** How long opening waits for other processes that open or migrate the same file, in ms; it blocks meanwhile. */
const openTimeoutMs = 30_000

/**
 * Pages of the log before a commit moves them into the file. With more, that commit holds up the event loop for longer:
 * about 10 ms at 4000 as measured, 4 ms here. With fewer, pages that many commits change are moved too often.
 */
const walPages = 1_000

/** What the log keeps of its space when it is used again: not cut, it need not be allocated again. */
const walKeptBytes = 16 * 1024 * 1024

/**
 * Opens the file, creates or migrates it where it has to be, and sets what a connection needs. Opening a current file
 * writes nothing. Throws `UnsupportedNodeError`, `RootUnusableError`, `NotALedgerError`, `NewerLedgerError`, or a storage
 * error; the file then is as it was.
 */
export function openConnection(file: string, readOnly: boolean, migrations: readonly Migration[]): Database {
  if (readOnly && !existsSync(file)) throw new NotALedgerError(file, 'there is no such file; check the path')
  try {
    return readOnly ? openReadOnly(file, migrations) : openForWriting(file, migrations)
  } catch (error) {
    const code = sqliteCode(error)
    if (code === 'SQLITE_NOTADB') throw new NotALedgerError(file, 'it is not an SQLite database', { cause: error })
    if (code !== undefined && /^SQLITE_(CANTOPEN|READONLY)/.test(code)) {
      const problem = readOnly
        ? 'SQLite keeps two files beside a ledger, also to read it, and cannot here; copy it to a folder that can be written'
        : 'the ledger, or the two files that SQLite keeps beside it, cannot be written'
      throw new RootUnusableError(dirname(file), problem, { cause: error })
    }
    throw storageError(error, file, openTimeoutMs)
  }
}

function openForWriting(file: string, migrations: readonly Migration[]): Database {
  return openDatabase(file, false, (database) => {
    const state = readSchemaState(database, file, migrations)
    if (state === undefined) database.pragma('auto_vacuum = INCREMENTAL')
    useWal(database, file)
    // better-sqlite3 falls back to NORMAL in WAL, so this stands after it.
    database.pragma('synchronous = FULL')
    database.pragma(`wal_autocheckpoint = ${walPages}`)
    database.pragma(`journal_size_limit = ${walKeptBytes}`)
    if (!isCurrent(state, migrations)) migrate(database, file, migrations)
  })
}

function openReadOnly(file: string, migrations: readonly Migration[]): Database {
  return openDatabase(file, true, (database) => {
    const state = readSchemaState(database, file, migrations)
    if (state === undefined) throw new NotALedgerError(file, 'it is empty')
    if (!isCurrent(state, migrations)) throw new StorageReadOnlyError()
  })
}

/** Opens the file with what every connection needs, and closes it again where the preparation fails. */
function openDatabase(file: string, readonly: boolean, prepare: (database: Database) => void): Database {
  const database = openFile(file, readonly)
  try {
    database.pragma('trusted_schema = OFF')
    database.pragma('secure_delete = ON')
    database.pragma('temp_store = MEMORY')
    prepare(database)
    database.pragma(`busy_timeout = ${blockingWaitMs}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function openFile(file: string, readonly: boolean): Database {
  const Driver = loadDriver()
  try {
    return new Driver(file, { readonly, timeout: openTimeoutMs })
  } catch (error) {
    if (!sqliteCode(error)?.startsWith('SQLITE_CANTOPEN')) throw error
    const problem = `${basename(file)} cannot be ${readonly ? 'read' : 'opened or created'} there; check what this user may do`
    throw new RootUnusableError(dirname(file), problem, { cause: error })
  }
}

/** Switching needs the file for itself, and SQLite does not wait for that. */
function useWal(database: Database, file: string): void {
  const until = performance.now() + openTimeoutMs
  for (let attempt = 1; database.pragma('journal_mode', { simple: true }) !== 'wal'; attempt += 1) {
    try {
      if (database.pragma('journal_mode = WAL', { simple: true }) !== 'wal') {
        throw new RootUnusableError(dirname(file), 'SQLite can keep no write-ahead log there')
      }
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, backOffMs(attempt))
    }
  }
}
