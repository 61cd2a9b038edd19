import { depthOf } from '../folder/outline.ts'
import type { Match } from './matcher.ts'

/** A line that holds at least one of the words, and the lines around it that belong to it. */
export interface Passage {
  readonly path: string
  readonly line: number
  readonly text: string
  readonly from: number
  readonly to: number
  /** Whether it is a line of a log, which stands for itself. */
  readonly isRecord: boolean
  /** How well the line itself holds each word, from 0 to 1. */
  readonly own: readonly number[]
  /** How well it does with its context. */
  readonly found: readonly number[]
  /** Less than 1 for a line of a test, more for one that says what a name stands for. */
  readonly factor: number
}

/** How many lines before and after one belong to it. */
const reach = 3
/** How much a word counts that stands in these, in a line that this one stands under, or in the path; and elsewhere in the file. */
const around = 0.85
const inFile = 0.4
/** How many lines of a log are shown before and after one of them: more of what led to it. */
const [recordsBefore, recordsAfter] = [2, 1]

const test = /(?:^|[./_-])(?:tests?|specs?|__tests__|fixtures?|mocks?)(?:[./_-]|$)/i
/** A line of a log begins with a time or is an object. What its neighbours say does not count for it. */
const record = /^.{0,50}\d\d:\d\d:\d\d|^\W?\d{1,4}[-./]\d\d?[-./]\d{1,4}[T ,]+\d\d:\d\d\b|^\{.*\}$/
/** A name, perhaps with a type, and a number or text after it. */
const definition = /^[^=:()]*[\w"'`)\]](?:\s*:\s*[\w<>[\]|. ]+)?\s*[=:]\s*(?:[\w.]+ \?\? )?[[({]?["'`\d-]/

/** The passages of a file, in their order. */
export function* passagesOf(path: string, lines: readonly string[], match: Match): Generator<Passage> {
  const own = lines.map((line) => match(line))
  const ofPath = match(path)
  const ofFile = scaled(highest(own), inFile)
  // The lines that the current one stands under, outermost first, each with what it and those over it hold.
  const over: { readonly depth: number; readonly found: Found }[] = []
  for (const [at, text] of lines.entries()) {
    const depth = depthOf(text, path)
    if (depth === undefined) continue
    while ((over.at(-1)?.depth ?? -Infinity) >= depth) over.pop()
    const inherited = over.at(-1)?.found
    const ofLine = own[at]
    over.push({ depth, found: highest([inherited, ofLine]) })
    if (ofLine === undefined) continue
    const isRecord = record.test(text)
    // What follows belongs to it until a line stands less deep.
    let below = 0
    while (below < reach && (depthOf(lines[at + below + 1] ?? '', path) ?? depth) >= depth) below += 1
    const near = isRecord ? [ofPath] : [ofPath, inherited, ...own.slice(Math.max(0, at - reach), at + below + 1)]
    const found = highest([ofLine, scaled(highest(near), around), isRecord ? undefined : ofFile])
    yield {
      path,
      line: at + 1,
      text,
      from: Math.max(1, at + 1 - (isRecord ? recordsBefore : reach)),
      to: Math.min(lines.length, at + 1 + (isRecord ? recordsAfter : reach)),
      isRecord,
      own: ofLine,
      found: found ?? ofLine,
      factor: (test.test(path) ? 0.7 : 1) * (!isRecord && definition.test(text) ? 1.2 : 1),
    }
  }
}

type Found = readonly number[] | undefined

function scaled(found: Found, factor: number): Found {
  return found?.map((one) => one * factor)
}

/** For each word the highest of what was found. */
function highest(all: readonly Found[]): Found {
  return all.reduce((a, b) => (a && b ? a.map((one, word) => Math.max(one, b[word] ?? 0)) : (a ?? b)), undefined)
}
