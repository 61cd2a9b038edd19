import type { FileLines } from '../folder/read.ts'
import { matcherOf } from '../search/matcher.ts'
import type { Place } from '../search/search.ts'

const maxCharacters = 300

/** A place as lines `> file:line: text`: its line is marked, and at most two beside it that hold what it lacks. */
export function quote({ path, line, text }: Place, read: FileLines, weights: ReadonlyMap<string, number>): string {
  const { from, lines } = read
  const match = matcherOf([...weights.keys()])
  const held = lines.map((one) => match(one) ?? [])
  const lacked = [...weights.values()].map((weight, word) => weight * (1 - 0.7 * (held[line - from]?.[word] ?? 0)))
  const value = (one: number): number =>
    lacked.reduce((sum, weight, word) => sum + weight * (held[one - from]?.[word] ?? 0), 0)
  const beside = lines
    .flatMap((one, index) => (one.trim() === '' || from + index === line ? [] : [from + index]))
    // What is as good: the nearest, and rather what follows.
    .sort((a, b) => value(b) - value(a) || Math.abs(a - line) - Math.abs(b - line) || b - a)
  return [line, ...beside.slice(0, 2)]
    .sort((a, b) => a - b)
    .map((one) => {
      const whole = lines[one - from] ?? ''
      return one === line ? cite(path, one, whole.length > maxCharacters ? text : whole, '>') : cite(path, one, whole)
    })
    .join('\n')
}

export function cite(path: string, line: number, text: string, mark = ' '): string {
  return `${mark} ${path}:${line}: ${text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text}`
}
