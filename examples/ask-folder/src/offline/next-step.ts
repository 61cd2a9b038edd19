import type { FolderList } from '../folder/list.ts'
import type { FileLines } from '../folder/read.ts'
import { maxWordCharacters, maxWords, type Place, rarity, type SearchResult } from '../search/search.ts'
import { termsOf } from './terms.ts'

/** What was asked last and, in the same session, before; and what the tools returned since. */
export interface Turn {
  readonly question: string
  readonly earlier: string
  /** By the name of the tool; a call that failed has no result. */
  readonly results: readonly { readonly tool: string; readonly result: unknown }[]
}

export type Step =
  | { readonly calls: readonly { readonly tool: string; readonly input: object }[] }
  | { readonly answer: string }

const offline = 'I am offline: I quote what I found and do not judge it.'

/** A place answers when it holds this share of the question; down to half of it the best is shown as the nearest. */
const enough = 0.5
/** What holds nearly as much as the best is quoted with it. */
const nearly = 0.65
const maxQuotes = 3
const maxCharacters = 300

/** One step: words find places, the best places are read, what was read is quoted. A question without words lists. */
export function nextStep({ question, earlier, results }: Turn): Step {
  const of = <T>(tool: string): T[] =>
    results.flatMap((one) => (one.tool === tool && one.result !== undefined ? [one.result as T] : []))
  const [[search], [list], read] = [of<SearchResult>('search'), of<FolderList>('list'), of<FileLines>('read')]
  const hasRead = results.some((one) => one.tool === 'read')
  const refersBack = /\b(?:its?|they|them|their|he|him|his|she|her)\b/i.test(question)
  const before = refersBack ? [...termsOf(earlier)].map(([word, weight]) => [word, 0.3 * weight] as const) : []
  const terms = new Map([...before, ...termsOf(question)])
  if (search !== undefined) {
    const { places, isEnough } = bestPlaces(search, terms, question)
    if (places.length > 0 && !hasRead)
      return {
        calls: places.map(({ path, from, to }) => ({ tool: 'read', input: { path, from, count: to - from + 1 } })),
      }
    const quotes = read.map((lines) => quote(lines, places))
    if (isEnough && quotes.length > 0) return { answer: [offline, ...quotes].join('\n\n') }
    if (quotes.length > 0) quotes.unshift('The nearest that I found:')
    return { answer: [notFound(search), ...quotes].join('\n\n') }
  }
  if (list !== undefined) {
    const about = list.entries.find((one) => one.kind === 'file' && /^(?:readme|index|about)\b/i.test(one.name))
    if (about !== undefined && !hasRead) return { calls: [{ tool: 'read', input: { path: about.name, count: 7 } }] }
    const names = list.entries.map((one) => (one.kind === 'folder' ? `${one.name}/` : one.name))
    const begin = read.map((lines) => quote(lines, []))
    return { answer: [offline, `The folder holds ${names.join(', ')}.`, ...begin].join('\n\n') }
  }
  if (results.length > 0) return { answer: 'I found no answer: I could not look into the folder.' }
  const words = [...terms.keys()].filter((word) => word.length <= maxWordCharacters).slice(0, maxWords)
  return { calls: [words.length === 0 ? { tool: 'list', input: {} } : { tool: 'search', input: { words } }] }
}

/** What to quote. A word counts by what it carries in the question and how rare it is in the folder. */
function bestPlaces(
  search: SearchResult,
  terms: ReadonlyMap<string, number>,
  question: string,
): { places: Place[]; isEnough: boolean } {
  const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0)
  const weights = search.words.map((one) => (terms.get(one.word) ?? 1) * rarity(one.lines, search.lines))
  const shareOf = ({ words }: Place): number =>
    sum(search.words.map((one, at) => weights[at]! * (words[one.word] ?? 0))) / sum(weights)
  const places = search.places.filter((place) => !place.text.includes(question.trim())).slice(0, maxQuotes)
  const most = Math.max(0, ...places.map(shareOf))
  const isEnough = most >= enough
  const nearest = places.filter((place) => shareOf(place) >= Math.max(nearly * most, enough / 2))
  return { places: isEnough ? nearest : nearest.slice(0, 1), isEnough }
}

/** The lines as `file:line: text`; the one that a place is about is marked, and shows of a long line the right part. */
function quote({ path, from, lines }: FileLines, places: readonly Place[]): string {
  const cited = lines.flatMap((whole, index) => {
    const line = from + index
    const place = places.find((one) => one.path === path && one.from === from && one.line === line)
    const text = whole.length <= maxCharacters ? whole : (place?.text ?? `${whole.slice(0, maxCharacters)}…`)
    return whole.trim() === '' ? [] : [`${place === undefined ? ' ' : '>'} ${path}:${line}: ${text}`]
  })
  return cited.join('\n')
}

function notFound({ words, files, unread, stopped }: SearchResult): string {
  const absent = words.flatMap((one) => (one.lines === 0 ? [one.word] : []))
  const missing = absent.length === 0 ? '' : ` Nowhere in it: ${absent.join(', ')}.`
  const skipped = unread === 0 ? '' : ` Not searched: ${unread} (binary, too large or not readable).`
  const rest = stopped ? ' There was too much to search it all.' : ''
  return `I found no answer to that in this folder (${files} files searched).${missing}${skipped}${rest}`
}
