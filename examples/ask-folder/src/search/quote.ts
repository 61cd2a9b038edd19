import type { FileLines } from '../folder/read.ts'
import type { Place } from './search.ts'

const maxCharacters = 300

/**
 * At most so many lines as `file:line: text`: the one that a place is about, which is marked and shows of a long line the
 * right part; where names get their value; and the lines nearest to it.
 */
export function quote({ path, from, lines, ...place }: FileLines & Partial<Place>, most: number): string {
  const { line = from, text, definitions = [] } = place
  const near = lines.map((whole, at) => ({ line: from + at, text: whole })).filter((one) => one.text.trim() !== '')
  near.sort((one, other) => Math.abs(one.line - line) - Math.abs(other.line - line))
  const shown = [...near.splice(0, 1), ...definitions, ...near].slice(0, most)
  return shown
    .sort((one, other) => one.line - other.line)
    .map((one) =>
      text !== undefined && one.line === line
        ? `> ${path}:${line}: ${text}`
        : `  ${path}:${one.line}: ${one.text.slice(0, maxCharacters)}`,
    )
    .join('\n')
}
