import { type Folder, FolderError, walk } from '../folder/folder.ts'
import { linesOf, readText } from '../folder/text.ts'
import { holdsAmount } from './amount.ts'
import { type Definition, definitionsOf } from './definitions.ts'
import { type Match, matcherOf } from './matcher.ts'
import { type Passage, passagesOf } from './passages.ts'

/** A search stops after this many characters of text. */
const maxSearchedCharacters = 128 * 1024 * 1024
const filesAtOnce = 8
/** What an amount adds to a line when one is looked for; a word that stands in some of the lines adds as much. */
const ofAmount = 1.5
/** Of more passages than this only the better half is kept meanwhile. */
const maxKept = 50_000
const maxTextCharacters = 300

/** What a search takes at most. */
export const maxWords: number = 16
export const maxWordCharacters: number = 100

export interface SearchRequest {
  readonly words: readonly string[]
  /** Whether an amount is looked for: lines that hold one are preferred. */
  readonly amounts?: boolean
  /** A file or folder to stay in. */
  readonly path: string
  /** At most this many places. */
  readonly limit: number
}

/** A line of a file where words occur. */
export interface Place {
  readonly path: string
  readonly line: number
  /** The line; of a long one the part that holds the most. */
  readonly text: string
  /** The first and the last line that belong to it; those of two places never overlap. */
  readonly from: number
  readonly to: number
  /** Where in the same file names that stand in its lines get their value, of the nearest names first. */
  readonly definitions: readonly Definition[]
  /**
   * How much of the words it holds, from 0 to 1; rare words count more. A word counts whole in the line itself, less as a
   * synonym, near it, in what it stands under or in the path, least elsewhere in the file.
   */
  readonly share: number
  /** Whether the line holds an amount. */
  readonly hasAmount: boolean
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

/** How much each word says: the rarer, the more; one that stands in most of the lines next to nothing. */
function weightsOf(counts: readonly number[], lines: number): number[] {
  return counts.map((count) => Math.sqrt(Math.log(1 + Math.max(0.5, lines - count + 0.5) / (count + 0.5))))
}

/** Finds where words occur near each other. */
export async function searchFolder(
  folder: Folder,
  { words, amounts = false, path, limit }: SearchRequest,
  signal?: AbortSignal,
): Promise<SearchResult> {
  const match = matcherOf(words)
  const counts = words.map(() => 0)
  const unread: string[] = []
  let kept: Passage[] = []
  let [files, lines, characters] = [0, 0, 0]
  const count = (found: readonly number[]): void => found.forEach((one, word) => (counts[word]! += one))
  for await (const { file, text } of texts(folder, path, unread)) {
    signal?.throwIfAborted()
    if (characters > maxSearchedCharacters) break
    const ofFile = linesOf(text)
    files += 1
    lines += ofFile.length
    characters += text.length
    count(match(file) ?? [])
    for (const passage of passagesOf(file, ofFile, match)) {
      count(passage.own)
      kept.push(passage)
    }
    if (kept.length > maxKept) kept = bestFirst(kept, weightsOf(counts, lines), amounts).slice(0, maxKept / 2)
  }
  const weights = weightsOf(counts, lines)
  const places = apart(bestFirst(kept, weights, amounts), limit)
  return {
    // Synonyms count in part.
    words: words.map((word, at) => ({ word, lines: Math.ceil(counts[at] ?? 0) })),
    files,
    lines,
    unread: unread.length,
    stopped: characters > maxSearchedCharacters,
    places: await Promise.all(
      places.map(async ({ path: at, line, text, from, to, found, isRecord }) => ({
        path: at,
        line,
        text: text.length <= maxTextCharacters ? text : partOf(text, match),
        from,
        to,
        definitions: isRecord ? [] : definitionsOf(linesOf(await readText(folder, at)), { from, line, to }),
        share: Math.round((100 * weighted(found, weights)) / sum(weights)) / 100,
        hasAmount: holdsAmount(text),
      })),
    ),
  }
}

/** By how much of the rarest words they hold. */
function bestFirst(passages: readonly Passage[], weights: readonly number[], amounts: boolean): Passage[] {
  const valueOf = ({ found, text, factor }: Passage): number =>
    factor * (weighted(found, weights) + (amounts && holdsAmount(text) ? ofAmount : 0))
  return passages
    .map((passage) => ({ passage, value: valueOf(passage) }))
    .sort((a, b) => b.value - a.value)
    .map(({ passage }) => passage)
}

/** The first ones that do not lie in another, each cut where a better one begins or ends. */
function apart(passages: readonly Passage[], limit: number): Passage[] {
  const places: Passage[] = []
  for (const { line, ...one } of passages) {
    if (places.length === limit) break
    const near = places.filter((place) => place.path === one.path)
    if (near.some(({ from, to }) => from <= line && line <= to)) continue
    const from = Math.max(one.from, ...near.map(({ to }) => (to < line ? to + 1 : 1)))
    const to = Math.min(one.to, ...near.map(({ from }) => (from > line ? from - 1 : Infinity)))
    places.push({ ...one, line, from, to })
  }
  return places
}

/** Of a long line the stretch that holds the most, cut at spaces. */
function partOf(line: string, match: Match): string {
  const stretches = line.match(new RegExp(`.{1,${maxTextCharacters}}(?:\\s|$)|.{1,${maxTextCharacters}}`, 'gu')) ?? []
  const valueOf = (text: string): number => sum(match(text) ?? [])
  return stretches.reduce((best, one) => (valueOf(one) > valueOf(best) ? one : best), '').trim()
}

function weighted(found: readonly number[], weights: readonly number[]): number {
  return sum(found.map((one, word) => one * weights[word]!))
}

function sum(all: readonly number[]): number {
  return all.reduce((total, one) => total + one, 0)
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
