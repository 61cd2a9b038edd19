import type { Database } from './driver.ts'

/**
 * From here on the log is too large: readers keep it from being used again, however much of it has been moved into the
 * file. As much more of it, and that is tried again.
 */
const largeBytes = 64 * 1024 * 1024
const triedEveryBytes = 16 * 1024 * 1024

/**
 * Gives what is told the bytes of the log in front of each write. Where that is too much it tries to have the log used
 * from its beginning again, which waits for readers as long as the connection waits for writers; where they do not let it
 * be, `tell` is called, and again each time that the log has doubled.
 */
export function watchLogSize(database: Database, tell: (bytes: number) => void): (bytes: number) => void {
  let tryAt = largeBytes
  let tellAt = largeBytes
  return (bytes) => {
    if (bytes <= largeBytes) [tryAt, tellAt] = [largeBytes, largeBytes]
    if (bytes <= tryAt || isLogMoved(database, 'RESTART')) return
    tryAt = bytes + triedEveryBytes
    if (bytes <= tellAt) return
    tellAt = 2 * bytes
    tell(bytes)
  }
}

/** Moves what the log holds into the file, and has it used from its beginning. False where readers or writers are in the way. */
export function isLogMoved(database: Database, mode: 'RESTART' | 'TRUNCATE'): boolean {
  const [outcome] = database.pragma(`wal_checkpoint(${mode})`) as { busy: number }[]
  return outcome?.busy === 0
}
