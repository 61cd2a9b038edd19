import type { FileLines } from '../folder/read.ts'
import type { Place } from '../search/search.ts'

const maxCharacters = 300

/** How many lines before and after the best one are quoted with it. */
const beside = 2

/** A place as lines `> file:line: text`: its line is marked, and what stands right beside it comes along. */
export function quote({ path, line, text }: Place, { from, lines }: FileLines): string {
  return lines
    .map((whole, index) => ({ whole, at: from + index }))
    .filter(({ whole, at }) => Math.abs(at - line) <= beside && whole.trim() !== '')
    .map(({ whole, at }) =>
      at === line ? cite(path, at, whole.length > maxCharacters ? text : whole, '>') : cite(path, at, whole),
    )
    .join('\n')
}

export function cite(path: string, line: number, text: string, mark = ' '): string {
  return `${mark} ${path}:${line}: ${text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text}`
}
