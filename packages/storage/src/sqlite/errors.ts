import {
  LedgerDamagedError,
  StorageBusyError,
  StorageFullError,
  StorageIoError,
  StorageReadOnlyError,
} from '@daybook/core'

/** The result code of SQLite, such as `SQLITE_IOERR_FSYNC`; undefined for what is not its error. */
export function sqliteCode(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : undefined
}

/** As SQLite throws it. */
export function busyError(message: string): Error {
  return Object.assign(new Error(message), { code: 'SQLITE_BUSY' })
}

export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error)
  return code !== undefined && /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(code)
}

/** What SQLite's error means to a caller; whatever is no error of SQLite, or a mistake in our SQL, stays as it is. */
export function storageError(error: unknown, file: string, waitedMs: number): unknown {
  const code = sqliteCode(error)
  if (code === undefined) return error
  const { message } = error as Error
  const options = { cause: error }
  if (isBusy(error)) return new StorageBusyError(waitedMs, options)
  if (code === 'SQLITE_FULL') return new StorageFullError(options)
  if (/^SQLITE_(IOERR|CANTOPEN|NOMEM|READONLY_DBMOVED)/.test(code)) {
    return new StorageIoError(`${file}: ${message}`, options)
  }
  if (code.startsWith('SQLITE_READONLY')) return new StorageReadOnlyError(options)
  if (/^SQLITE_(CORRUPT|NOTADB|CONSTRAINT)/.test(code)) return new LedgerDamagedError(null, file, message, options)
  return error
}
