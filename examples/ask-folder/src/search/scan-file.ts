import { depthOf } from '../folder/outline.ts'
import type { Match } from '../question/matcher.ts'

/** A line that holds at least one of the words. Lists have a number for each word, from 0 to 1. */
export interface Candidate {
  readonly path: string
  readonly line: number
  readonly text: string
  /** How well the line itself holds each word. */
  readonly own: readonly number[]
  /** How well it does with all that belongs to it. */
  readonly found: readonly number[]
  readonly factor: number
}

/** How far a line reaches, and how much a word counts there, in a line that this one stands under, and in the path. */
export const reach: number = 3
const nearby = [1, 0.7, 0.5, 0.35]
const above = 0.75
const inPath = 0.6

const maxTextCharacters = 300
const testPath = /(?:^|[./_-])(?:tests?|specs?|__tests__|fixtures?|mocks?)(?:[./_-]|$)/i
/** A line of a log begins with a time or is an object, and has nothing to do with its neighbours. */
const record = /^.{0,50}\d\d:\d\d:\d\d|^\{.*\}$/
/** A declaration, or `name: value` and `name = value`. */
const definition =
  /^\s*(?:[-*+]\s+)?(?:(?:\w+\s+){0,4}(?:const|let|var|val|def|fn|func|function|class|type|interface|enum|struct|trait)\s|["'`*_]*[\w .-]{1,40}["'`*_]*\s*(?::|=(?!=))\s*\S)/

/** The lines of a file that hold one of the words, in their order. */
export function* scanFile(path: string, lines: readonly string[], match: Match): Generator<Candidate> {
  const own = lines.map((line) => match(line))
  const pathFound = scaled(match(path), inPath)
  const pathFactor = testPath.test(path) ? 0.85 : 1
  // The lines that the current one stands under, outermost first, each with what it and those over it hold.
  const over: { readonly depth: number; readonly found: Found }[] = []
  for (const [at, line] of lines.entries()) {
    const depth = depthOf(line, path)
    if (depth === undefined) continue
    while ((over.at(-1)?.depth ?? -Infinity) >= depth) over.pop()
    const inherited = over.at(-1)?.found
    const ownFound = own[at]
    over.push({ depth, found: highest([inherited, ownFound]) })
    if (ownFound === undefined) continue
    const isRecord = record.test(line)
    const around = isRecord
      ? []
      : nearby.flatMap((part, far) => [scaled(own[at - far], part), scaled(own[at + far], part)])
    yield {
      path,
      line: at + 1,
      text: line.length <= maxTextCharacters ? line.trim() : partOf(line, match),
      own: ownFound,
      found: highest([ownFound, scaled(inherited, above), pathFound, ...around]) ?? ownFound,
      factor: pathFactor * (line.length > 400 ? 0.8 : 1) * (!isRecord && definition.test(line) ? 1.15 : 1),
    }
  }
}

/** Of a long line the stretch that holds the most, cut at spaces. */
function partOf(line: string, match: Match): string {
  const stretches = line.match(new RegExp(`.{1,${maxTextCharacters}}(?:\\s|$)|.{1,${maxTextCharacters}}`, 'gu')) ?? [
    line,
  ]
  const value = (text: string): number => match(text)?.reduce((sum, one) => sum + one, 0) ?? 0
  return stretches.reduce((best, one) => (value(one) > value(best) ? one : best)).trim()
}

type Found = readonly number[] | undefined

function scaled(found: Found, factor: number): Found {
  return found?.map((one) => one * factor)
}

/** For each word the highest of what was found. */
function highest(all: readonly Found[]): Found {
  return all.reduce((a, b) => (a && b ? a.map((one, word) => Math.max(one, b[word] ?? 0)) : (a ?? b)))
}
