import { type Folder, FolderError, walk } from '../folder/folder.ts'
import { linesOf, readText } from '../folder/text.ts'
import { matcherOfAll } from '../question/matcher.ts'
import { BestPlaces } from './best-places.ts'
import { scanFile } from './scan-file.ts'

/** A search stops after this many characters of text. */
const maxSearchedCharacters = 128 * 1024 * 1024
const filesAtOnce = 8

/** What a search takes at most. */
export const maxWords: number = 16
export const maxWordCharacters: number = 100

export interface SearchRequest {
  readonly words: readonly string[]
  /** A file or folder to stay in. */
  readonly path: string
  /** At most this many places. */
  readonly limit: number
  /** Of places that are equally good: the last ones instead of the first. */
  readonly last: boolean
}

/** A line of a file where words of the question occur. */
export interface Place {
  readonly path: string
  readonly line: number
  /** The line; of a long one the part around the first word. */
  readonly text: string
  /** How well it holds each word: 1 in the line itself, less for a relative, around it, in what it stands under, in the path. */
  readonly words: Readonly<Record<string, number>>
  /** More than 1 for a line that says what a name stands for, less for a long line and for one of a test. */
  readonly factor: number
}

export interface SearchResult {
  /** In how many lines and paths each word occurs; the rarest say most. */
  readonly words: readonly { readonly word: string; readonly lines: number }[]
  /** How much was searched. */
  readonly files: number
  readonly lines: number
  /** Files and folders that were not searched: binary, too large, or not readable. */
  readonly unread: number
  /** True when there was more than one search may read. */
  readonly stopped: boolean
  /** The places that hold the most and the rarest of the words, best first. */
  readonly places: readonly Place[]
}

/** How much a word says that occurs in `lines` of `all` lines. */
export function rarity(lines: number, all: number): number {
  return Math.log(1 + all / (lines + 0.5))
}

/** Finds where words of a question occur near each other. */
export async function searchFolder(
  folder: Folder,
  request: SearchRequest,
  signal?: AbortSignal,
): Promise<SearchResult> {
  const { words, path, limit, last } = request
  const match = matcherOfAll(words)
  const best = new BestPlaces(limit, last)
  const counts = words.map(() => 0)
  const unread: string[] = []
  let [files, lines, characters] = [0, 0, 0]
  for await (const { file, text } of texts(folder, path, unread)) {
    signal?.throwIfAborted()
    if (characters > maxSearchedCharacters) break
    const ofFile = linesOf(text)
    files += 1
    lines += ofFile.length
    characters += text.length
    const count = (found: readonly number[]): void => found.forEach((one, word) => (counts[word]! += one > 0 ? 1 : 0))
    count(match(file) ?? [])
    for (const candidate of scanFile(file, ofFile, match)) {
      count(candidate.own)
      best.add(candidate)
    }
  }
  return {
    words: words.map((word, at) => ({ word, lines: counts[at] ?? 0 })),
    files,
    lines,
    unread: unread.length,
    stopped: characters > maxSearchedCharacters,
    places: best.choose(counts.map((count) => rarity(count, lines))).map(({ path: at, line, text, factor, found }) => ({
      path: at,
      line,
      text,
      factor,
      words: Object.fromEntries(
        words.map((word, index) => [word, found[index] ?? 0] as const).filter(([, part]) => part > 0),
      ),
    })),
  }
}

/** The texts below a path in the order of `walk`; a few files are read at a time. What cannot be read is added to `unread`. */
async function* texts(folder: Folder, path: string, unread: string[]): AsyncGenerator<{ file: string; text: string }> {
  const read = async (file: string): Promise<{ file: string; text: string }[]> => {
    try {
      return [{ file, text: await readText(folder, file) }]
    } catch (error) {
      if (!(error instanceof FolderError)) throw error
      unread.push(file)
      return []
    }
  }
  let ahead: string[] = []
  for await (const file of walk(folder, path, unread)) {
    ahead.push(file)
    if (ahead.length < filesAtOnce) continue
    yield* (await Promise.all(ahead.map(read))).flat()
    ahead = []
  }
  yield* (await Promise.all(ahead.map(read))).flat()
}
