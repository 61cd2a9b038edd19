import { checkId, InvalidIdError } from '@daybook/core'

const suffix = '.jsonl'

/** Stands behind a file's name while it is written anew. */
export const newSuffix = '.new'

/** The most bytes that a name has on the file systems that there are. */
const maxNameBytes = 255

/** The name of the file of a run's log: ASCII, whatever the id is. Throws `InvalidIdError`. */
export function fileName(runId: string): string {
  const name = encodeURIComponent(checkId('runId', runId)) + suffix
  if (name.length + newSuffix.length <= maxNameBytes) return name
  throw new InvalidIdError(
    'runId',
    `makes a file name of ${name.length} bytes, and no folder takes that; use SQLite, or a shorter id`,
  )
}

/** The run that a file of this name holds the log of; undefined where it is none. */
export function runIdOf(name: string): string | undefined {
  if (!name.endsWith(suffix)) return undefined
  try {
    const runId = decodeURIComponent(name.slice(0, -suffix.length))
    return fileName(runId) === name ? runId : undefined
  } catch {
    return undefined
  }
}
