import { DaybookError, StorageBusyError, StorageFullError, StorageIoError, StorageReadOnlyError } from '@daybook/core'

/** The SQLSTATE of an error of the server, which has a digit; undefined for another one, such as `EPIPE`. */
function sqlState(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** What an error of a statement means to a caller; a mistake in our SQL, or in the rights of its user, stays as it is. */
export function postgresError(error: unknown): unknown {
  if (DaybookError.is(error)) return error
  const options = { cause: error }
  const code = sqlState(error)
  if (code === undefined) return new StorageIoError(`the database was not reached: ${String(error)}`, options)
  // Serialization failures, deadlocks, lock timeouts, cancelled statements.
  if (/^(40|55P03|57014)/.test(code)) return new StorageBusyError(0, options)
  if (code === '53100') return new StorageFullError(options)
  if (code === '25006') return new StorageReadOnlyError(options)
  // Connections, resources, an operator's intervention, the system, an internal error.
  if (/^(08|53|57|58|XX)/.test(code)) return new StorageIoError(String(error), options)
  return error
}
