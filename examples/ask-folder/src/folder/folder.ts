import { constants } from 'node:fs'
import { type FileHandle, lstat, open, opendir, readlink, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { ignoreRules } from './ignore.ts'

/** Why a path was refused, in words for the model and for people. */
export class FolderError extends Error {}

/** A folder that questions are asked about, and the only one that its tools can see. */
export interface Folder {
  /** The real path. */
  readonly root: string
  /** Whether this path, relative to the root and with `/`, is left out. */
  readonly leavesOut: (path: string) => boolean
}

export interface FolderEntry {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'link' | 'other'
}

/** `without` is a folder that belongs to the asker, such as the one of the ledger; it may lie outside. */
export async function openFolder(path: string, without: string): Promise<Folder> {
  const root = await realpath(path).catch((cause: unknown) => refuse(path, cause))
  if (!(await stat(root)).isDirectory()) throw new FolderError(`${path} is not a folder`)
  const ignored = ignoreRules(await readGitignore({ root, leavesOut: () => false }))
  const own = inside(root, await realpath(without).catch(() => resolve(without)))
  const leavesOut = (one: string): boolean =>
    ignored(one) || (own !== undefined && own !== '' && (one === own || one.startsWith(`${own}/`)))
  return { root, leavesOut }
}

/** The first 64 KiB; empty when there is none that can be read. */
async function readGitignore(folder: Folder): Promise<string> {
  try {
    const { buffer, bytesRead } = await readFile(folder, '.gitignore', (file) => file.read(Buffer.alloc(65_536)))
    return buffer.toString('utf8', 0, bytesRead)
  } catch (error) {
    if (error instanceof FolderError) return ''
    throw error
  }
}

/**
 * Reads a regular file of the folder, and closes it. The path is checked before it is touched, and the file that was
 * opened is checked again: a name that was turned into a link meanwhile gives an error, never another file's content.
 */
export async function readFile<Content>(
  folder: Folder,
  path: string,
  read: (file: FileHandle) => Promise<Content>,
): Promise<Content> {
  const real = await realPathInside(folder, path)
  // Looked at first, because to open a device can have effects; without blocking, because a pipe would wait for a writer.
  if (!(await lstat(real).catch((cause: unknown) => refuse(path, cause))).isFile())
    throw new FolderError(`${path} is not a regular file`)
  const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (cause: unknown) => refuse(path, cause),
  )
  try {
    if (!(await isAt(folder, path, handle)) || !(await handle.stat()).isFile())
      throw new FolderError(`${path} was replaced while it was being opened`)
    return await read(handle)
  } finally {
    await handle.close()
  }
}

/** Whether what was opened is what the path names, inside and not left out. Throws `FolderError` for a path that names none. */
export async function isAt(folder: Folder, path: string, file: FileHandle): Promise<boolean> {
  // A name can change between two looks at it. Where the system says what is open, as Linux does, that is asked.
  const place = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined)
  const at = place === undefined ? '' : inside(folder.root, place)
  if (at === undefined || (at !== '' && folder.leavesOut(at))) return false
  const opened = await file.stat()
  const now = await stat(await realPathInside(folder, path)).catch((cause: unknown) => refuse(path, cause))
  return opened.dev === now.dev && opened.ino === now.ino
}

/** What a folder inside the folder holds, by name, without what is left out. */
export async function readEntries(folder: Folder, path: string): Promise<FolderEntry[]> {
  const real = await realPathInside(folder, path)
  const entries: FolderEntry[] = []
  const opened = await opendir(real).catch((cause: unknown) => refuse(path, cause))
  for await (const one of opened) {
    if (folder.leavesOut(inside(folder.root, join(real, one.name)) ?? '')) continue
    const kind = one.isFile() ? 'file' : one.isDirectory() ? 'folder' : one.isSymbolicLink() ? 'link' : 'other'
    entries.push({ name: one.name, kind })
  }
  if ((await realPathInside(folder, path)) !== real) throw new FolderError(`${path} was replaced while it was read`)
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * Every file below a path, in a stable order, by its path relative to the root; links are not followed.
 * Folders that cannot be read are added to `unread`.
 */
export async function* walk(folder: Folder, path: string, unread: string[]): AsyncGenerator<string> {
  const at = inside(folder.root, await realPathInside(folder, path)) ?? ''
  const top = await stat(join(folder.root, at)).catch((cause: unknown) => refuse(path, cause))
  if (top.isDirectory()) yield* walkFolder(folder, at, unread)
  else yield at
}

async function* walkFolder(folder: Folder, at: string, unread: string[]): AsyncGenerator<string> {
  const folders: string[] = []
  const entries = await readEntries(folder, at).catch((error: unknown) => {
    if (!(error instanceof FolderError)) throw error
    unread.push(at)
    return []
  })
  for (const { name, kind } of entries) {
    const child = at === '' ? name : `${at}/${name}`
    if (kind === 'file') yield child
    if (kind === 'folder') folders.push(child)
  }
  for (const child of folders) yield* walkFolder(folder, child, unread)
}

/** Of what exists inside and is not left out. */
export async function realPathInside(folder: Folder, path: string): Promise<string> {
  if (path.includes('\0')) throw new FolderError('a path holds no NUL')
  // By its text first: what lies outside is not even asked whether it exists.
  if (inside(folder.root, resolve(folder.root, path)) === undefined)
    throw new FolderError(`${path} is outside of the folder`)
  const real = await realpath(resolve(folder.root, path)).catch((cause: unknown) => refuse(path, cause))
  const at = inside(folder.root, real)
  if (at === undefined) throw new FolderError(`${path} leads out of the folder`)
  if (at !== '' && folder.leavesOut(at)) throw new FolderError(`${path} is left out of the folder`)
  return real
}

/** The path relative to the root, with `/`; undefined when it lies outside. */
export function inside(root: string, path: string): string | undefined {
  const at = relative(root, path)
  return at === '..' || at.startsWith(`..${sep}`) || isAbsolute(at) ? undefined : at.split(sep).join('/')
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'is not a folder',
  EEXIST: 'exists already',
  EACCES: 'cannot be opened: permission denied',
  EPERM: 'cannot be opened: permission denied',
  ELOOP: 'is a link that leads nowhere',
  ENAMETOOLONG: 'is too long for a path',
}

export function refuse(path: string, cause: unknown): never {
  const code = (cause as NodeJS.ErrnoException).code ?? 'unknown'
  throw new FolderError(`${path} ${reasons[code] ?? `cannot be opened (${code})`}`, { cause })
}
