import { type Folder, type FolderEntry, readEntries } from './folder.ts'

/** At most this many entries are listed. */
export const maxEntries: number = 500

export interface FolderList {
  readonly path: string
  readonly entries: readonly FolderEntry[]
  /** How many more there are. */
  readonly more: number
}

/** What one folder holds, by name. */
export async function listFolder(folder: Folder, path: string): Promise<FolderList> {
  const entries = await readEntries(folder, path)
  return { path, entries: entries.slice(0, maxEntries), more: Math.max(0, entries.length - maxEntries) }
}
