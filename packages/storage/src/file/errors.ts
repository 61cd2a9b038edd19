import { DaybookError, StorageFullError, StorageIoError, StorageReadOnlyError } from '@daybook/core'

/** What an error of the file system means to a caller. */
export function fileError(error: unknown): unknown {
  if (DaybookError.is(error) || !(error instanceof Error) || !('code' in error)) return error
  const options = { cause: error }
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return new StorageFullError(options)
  if (error.code === 'EROFS') return new StorageReadOnlyError(options)
  return new StorageIoError(error.message, options)
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
