import { realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { InvalidInputError, RootUnusableError } from '@daybook/core'

/** The path of a ledger without links, so that a file has one name in this process. Throws `InvalidInputError`, `RootUnusableError`. */
export function locateFile(root: string, fileName: string): string {
  const file = join(locateFolder(root), fileName)
  try {
    return realpathSync(file)
  } catch {
    // It does not exist yet.
    return file
  }
}

/** The folder's path without links. Throws `InvalidInputError`, `RootUnusableError`. */
export function locateFolder(root: string): string {
  // The empty path is a mistake, and would be the current folder.
  if (typeof root !== 'string' || root === '') {
    throw new InvalidInputError('root', 'must be the path of a folder; `fileURLToPath` makes one of a URL')
  }
  let folder: string
  try {
    folder = realpathSync(root)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new RootUnusableError(
      root,
      code === 'ENOENT' ? 'it does not exist; check the path, or create it first' : message,
      {
        cause: error,
      },
    )
  }
  if (!statSync(folder).isDirectory()) throw new RootUnusableError(root, 'it is not a folder')
  return folder
}
