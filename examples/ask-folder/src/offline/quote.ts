import { depthOf, isProse } from '../folder/outline.ts'
import type { FileLines } from '../folder/read.ts'
import { matcherOfAll } from '../question/matcher.ts'
import { reach } from '../search/scan-file.ts'
import type { Place } from '../search/search.ts'

const maxQuoted = 5
const maxLineCharacters = 600
const comment = /^\s*(?:\/\/|\/?\*|#|--|"""|;)/

/** A place as lines `file:line: text`: the line, what stands under it or goes on from it, and what holds a word that it lacks. */
export function quote(place: Place, read: FileLines | undefined): string {
  if (read === undefined) return cite(place.path, place.line, place.text)
  const { lines, from } = read
  const at = place.line - from
  const shown = new Set([at, ...belonging(at, lines, place.path)])
  const lacking = matcherOfAll(Object.keys(place.words).filter((word) => (place.words[word] ?? 0) < 0.8))
  for (let index = at - reach; index <= at + reach && shown.size < maxQuoted; index += 1)
    if (lacking(lines[index] ?? '') !== undefined) shown.add(index)
  return [...shown]
    .sort((a, b) => a - b)
    .map((index) => {
      const line = lines[index] ?? ''
      return cite(place.path, from + index, index === at && line.length > maxLineCharacters ? place.text : line)
    })
    .join('\n')
}

/** The lines that stand under this one; else, of a text its paragraph, and of a comment what it is about. */
function belonging(at: number, lines: readonly string[], path: string): number[] {
  const depth = (index: number): number | undefined => depthOf(lines[index] ?? '', path)
  const own = depth(at) ?? 0
  const under: number[] = []
  for (let index = at + 1; index < lines.length && under.length < maxQuoted - 1; index += 1) {
    const one = depth(index)
    // Below a heading come empty lines; anything else ends at one.
    if (one === undefined ? own >= 0 : one <= own) break
    if (one !== undefined) under.push(index)
  }
  if (under.length > 0) return under
  // A row of a table stands for itself.
  const prose = isProse(path) && !lines[at]?.startsWith('|')
  const paragraph: number[] = []
  for (let index = at - 1; prose && index >= at - 3 && depth(index) === own; index -= 1) paragraph.push(index)
  for (let index = at + 1; index < lines.length && index <= at + 3; index += 1) {
    if (prose ? depth(index) !== own : !comment.test(lines[index - 1] ?? '')) break
    paragraph.push(index)
  }
  return paragraph
}

function cite(path: string, line: number, text: string): string {
  return `${path}:${line}: ${text.trim()}`
}
