import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { NotALedgerError, RootUnusableError, StorageReadOnlyError } from '@daybook/core'
import { type Database, loadDriver } from './driver.ts'
import { isBusy, sqliteCode, storageError } from './errors.ts'
import { applicationId, isCurrent, migrate, readSchemaState } from './migrations/migrate.ts'
import type { Migration } from './migrations/migration.ts'

/** How long opening waits for other processes that open or migrate the same file, in ms. Opening is synchronous. */
const openTimeoutMs = 30_000

/** How long a statement blocks the event loop for another process; whoever has more time comes again later. */
const statementTimeoutMs = 5

/**
 * Opens the file, creates or migrates it where it has to be, and sets what a connection needs. Opening a current file
 * writes nothing. Throws `UnsupportedNodeError`, `RootUnusableError`, `NotALedgerError`, `NewerLedgerError`, or a storage
 * error; the file then is as it was.
 */
export function openConnection(file: string, readOnly: boolean, migrations: readonly Migration[]): Database {
  const Driver = loadDriver()
  const root = dirname(file)
  checkRoot(root)
  if (readOnly && statSync(file, { throwIfNoEntry: false }) === undefined) throw new NotALedgerError(file, 'there is no such file')
  let database: Database | undefined
  try {
    database = new Driver(file, { readonly: readOnly, timeout: openTimeoutMs })
    prepareConnection(database, file, readOnly, migrations)
    return database
  } catch (error) {
    database?.close()
    const code = sqliteCode(error)
    if (code === 'SQLITE_NOTADB') throw new NotALedgerError(file, 'it is not an SQLite database', { cause: error })
    if (code?.startsWith('SQLITE_CANTOPEN')) throw new RootUnusableError(root, 'its files cannot be opened for this use', { cause: error })
    throw storageError(error, file, openTimeoutMs)
  }
}

function checkRoot(root: string): void {
  const stat = statSync(root, { throwIfNoEntry: false })
  if (stat === undefined) throw new RootUnusableError(root, 'it does not exist; create it first')
  if (!stat.isDirectory()) throw new RootUnusableError(root, 'it is not a folder')
}

function prepareConnection(database: Database, file: string, readOnly: boolean, migrations: readonly Migration[]): void {
  database.pragma('trusted_schema = OFF')
  database.pragma('secure_delete = ON')
  database.pragma('temp_store = MEMORY')
  const state = readSchemaState(database, file, migrations)
  if (readOnly && state === undefined) throw new NotALedgerError(file, 'it is empty')
  if (readOnly && !isCurrent(state, migrations)) throw new StorageReadOnlyError()
  if (!readOnly) {
    if (state === undefined) database.pragma('auto_vacuum = INCREMENTAL')
    useWal(database)
    // better-sqlite3 falls back to NORMAL in WAL, so this stands after it.
    database.pragma('synchronous = FULL')
    if (!isCurrent(state, migrations)) migrate(database, file, migrations)
  }
  database.pragma(`busy_timeout = ${statementTimeoutMs}`)
}

/** Switching needs the file for itself, and SQLite does not wait for that. */
function useWal(database: Database): void {
  const until = Date.now() + openTimeoutMs
  while (database.pragma('journal_mode', { simple: true }) !== 'wal') {
    try {
      database.pragma('journal_mode = WAL')
    } catch (error) {
      if (!isBusy(error) || Date.now() > until) throw error
      sleep(1 + Math.random() * 20)
    }
  }
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
