import type { Folder } from './folder.ts'
import { linesOf, readText } from './text.ts'

/** At most this many lines are read at once, and of each at most this many characters. */
export const maxLines: number = 400
const maxLineCharacters = 1000
const maxCharacters = 64_000

export interface FileLines {
  readonly path: string
  /** Number of the first line below, from 1. */
  readonly from: number
  readonly lines: readonly string[]
  /** How many lines the whole file has. */
  readonly of: number
}

/** Lines of a text file, from line `from` on; long lines end in `…`. */
export async function readLines(folder: Folder, path: string, from: number, count: number): Promise<FileLines> {
  const all = linesOf(await readText(folder, path))
  const lines: string[] = []
  let characters = 0
  for (const line of all.slice(from - 1, from - 1 + Math.min(count, maxLines))) {
    const kept = line.length > maxLineCharacters ? `${line.slice(0, maxLineCharacters)}…` : line
    characters += kept.length
    if (characters > maxCharacters) break
    lines.push(kept)
  }
  return { path, from, lines, of: all.length }
}
