import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { type Folder, FolderError, inside, isAt, realPathInside, refuse } from './folder.ts'
import { linesOf } from './text.ts'

/** A longer note is not written. */
export const maxNoteCharacters: number = 16_000

export interface WrittenNote {
  readonly path: string
  /** How many lines were written. */
  readonly written: number
}

/**
 * Writes a file that does not exist yet, in a folder that does; resolves once it is on the disk. What is there already,
 * links included, is neither replaced nor followed. A folder that is turned into a link meanwhile gives an error, and
 * nothing of the content leaves the folder.
 */
export async function writeNote(folder: Folder, path: string, content: string): Promise<WrittenNote> {
  const wanted = resolve(folder.root, path)
  const real = join(await realPathInside(folder, dirname(wanted)), basename(wanted))
  if (folder.leavesOut(inside(folder.root, real) ?? '')) throw new FolderError(`${path} is left out of the folder`)
  const file = await open(real, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW).catch(
    (cause: unknown) => refuse(path, cause),
  )
  try {
    if (!(await isAt(folder, path, file))) throw new FolderError(`${path} was replaced while it was being written`)
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  return { path, written: linesOf(content).length }
}
