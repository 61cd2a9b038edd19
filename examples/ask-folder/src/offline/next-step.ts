import type { FolderList } from '../folder/list.ts'
import type { FileLines } from '../folder/read.ts'
import { matcherOf } from '../search/matcher.ts'
import { quote } from '../search/quote.ts'
import { maxWordCharacters, maxWords, type Place, type SearchResult } from '../search/search.ts'
import { asksForAmount, neededShare } from './asked.ts'
import { termsOf } from './terms.ts'

/** What was asked last and, in the same session, before; and what the tools returned since. */
export interface Turn {
  readonly question: string
  readonly earlier: string
  readonly results: readonly { readonly toolName: string; readonly output: { type: string; value?: unknown } }[]
}

export type Call = Readonly<{ toolName: string; input: object }>

/** Begins every answer that quotes one. */
export const offline = 'I am offline: I quote what I found and do not judge it.'

/** What holds less of the question than this part of what the best place holds is not read. */
const nearly = 0.5
const [maxQuotes, maxLines] = [3, 12]

/**
 * The answer, or what to call first: words find places, the best of them are read, what was read is quoted. Without
 * words the folder is listed.
 */
export function nextStep({ question, earlier, results }: Turn): string | Call[] {
  const of = <T>(tool: string): T[] =>
    results.flatMap(({ toolName, output }) => (toolName === tool && output.type === 'json' ? [output.value as T] : []))
  const [[search], [list], read] = [of<SearchResult>('search'), of<FolderList>('list'), of<FileLines>('read')]
  const hasRead = results.some(({ toolName }) => toolName === 'read')
  if (search !== undefined) {
    const others = search.places.filter(({ text }) => !text.includes(question.trim())).slice(0, maxQuotes)
    const places = others.filter(({ share }) => share >= nearly * (others[0]?.share ?? 0))
    if (places.length === 0 || hasRead) return answerOf(question, search, places, read)
    return places.map(({ path, from, to }) => ({ toolName: 'read', input: { path, from, count: to - from + 1 } }))
  }
  if (list !== undefined) {
    const about = list.entries.find(({ kind, name }) => kind === 'file' && /^(?:readme|index|about)\b/i.test(name))
    if (about !== undefined && !hasRead) return [{ toolName: 'read', input: { path: about.name, count: 7 } }]
    const names = list.entries.map(({ kind, name }) => (kind === 'folder' ? `${name}/` : name)).join(', ')
    return [offline, `The folder holds ${names}.`, ...read.map((one) => quote(one, maxLines))].join('\n\n')
  }
  if (results.length > 0) return 'I found no answer: I could not look into the folder.'
  const refersBack = /\b(?:its?|they|them|their|he|him|his|she|her)\b/i.test(question)
  const terms = termsOf(refersBack ? `${question} ${earlier}` : question)
  const words = terms.filter((word) => word.length <= maxWordCharacters).slice(0, maxWords)
  return [
    words.length === 0
      ? { toolName: 'list', input: {} }
      : { toolName: 'search', input: { words, amounts: asksForAmount(question) } },
  ]
}

/** Quotes the places: as the answer when the best holds enough of the question, and an amount where one is asked for, or else as the nearest. */
function answerOf(question: string, search: SearchResult, near: readonly Place[], read: readonly FileLines[]): string {
  const isOf = (one: Place, { path, from }: FileLines): boolean => one.path === path && one.from === from
  const places = near.flatMap((one) => read.filter((lines) => isOf(one, lines)).map((lines) => ({ ...one, ...lines })))
  const words = search.words.map(({ word }) => word)
  const [best] = places
  const answers = best && best.share >= neededShare(question) && (best.hasAmount || !asksForAmount(question))
  const held = matcherOf(words)(places.flatMap(({ lines }) => lines).join('\n'))
  const lacking = words.filter((_, at) => !held?.[at]).join(', ')
  const quotes = places.map((one) => quote(one, Math.floor(maxLines / places.length)))
  if (lacking !== '') quotes.push(`${places.length > 0 ? 'Not in these lines' : 'Not found'}: ${lacking}.`)
  if (answers) return [offline, ...quotes].join('\n\n')
  const unread = search.unread === 0 ? '' : ` Not searched: ${search.unread} (binary, too large or not readable).`
  const searched = `(${search.stopped ? 'only ' : ''}${search.files} files searched).${unread}`
  const nearest = places.length > 0 ? ['The nearest that I found:'] : []
  return [`I found no answer to that in this folder ${searched}`, ...nearest, ...quotes].join('\n\n')
}
