import type { FolderList } from '../folder/list.ts'
import type { FileLines } from '../folder/read.ts'
import { type Term, termsOf } from '../question/terms.ts'
import { maxWords, maxWordCharacters, type Place, type SearchResult } from '../search/search.ts'
import { quote } from './quote.ts'
import { rank } from './rank.ts'

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

/** An answer needs a place that holds this share of the question. */
const enough = 0.6

/** One step: words find places, the best places are read, what was read is quoted. A question without words lists. */
export function nextStep({ question, earlier, results }: Turn): Step {
  const of = <T>(tool: string): T[] =>
    results.flatMap((one) => (one.tool === tool && one.result !== undefined ? [one.result as T] : []))
  const [[search], [list], read] = [of<SearchResult>('search'), of<FolderList>('list'), of<FileLines>('read')]
  const hasRead = results.some((one) => one.tool === 'read')
  const terms = termsWith(question, earlier)
  if (search !== undefined) {
    const ranked = rank(search, terms, question)
    const best = ranked.filter((one) => one.share >= 0.8 * (ranked[0]?.share ?? 0)).slice(0, 3)
    if (best.length > 0 && !hasRead) return { calls: best.map(({ place }) => ({ tool: 'read', input: around(place) })) }
    const quotes = best.map(({ place }) => {
      const { path, from } = around(place)
      return quote(
        place,
        read.find((one) => one.path === path && one.from === from),
      )
    })
    return { answer: (best[0]?.share ?? 0) >= enough ? [offline, ...quotes].join('\n\n') : notFound(search, quotes) }
  }
  if (list !== undefined) {
    const about = list.entries.find((one) => one.kind === 'file' && /^(?:readme|index|about)\b/i.test(one.name))
    if (about !== undefined && !hasRead) return { calls: [{ tool: 'read', input: { path: about.name, count: 20 } }] }
    const names = list.entries.map((one) => (one.kind === 'folder' ? `${one.name}/` : one.name))
    const begins = read.map((one) => quote({ path: one.path, line: 1, text: '', words: {}, factor: 1 }, one))
    return { answer: [offline, `The folder holds ${names.join(', ')}.`, ...begins].join('\n\n') }
  }
  if (results.length > 0) return { answer: 'I found no answer: I could not look into the folder.' }
  if (!terms.some((term) => term.weight >= 1)) return { calls: [{ tool: 'list', input: {} }] }
  const last = /\b(?:last|latest|newest|most recent)\b/i.test(question)
  return { calls: [{ tool: 'search', input: { words: terms.map((term) => term.word), last, limit: 30 } }] }
}

/** The words of the question; where it says `it` or `they`, the words of the question before help. */
function termsWith(question: string, earlier: string): Term[] {
  const own = termsOf(question)
  const refersBack = /\b(?:its?|they|them|their|he|him|his|she|her)\b/i.test(question)
  const before = refersBack ? termsOf(earlier).filter((term) => !own.some((one) => one.word === term.word)) : []
  return [...own, ...before.map((term) => ({ ...term, weight: 0.3 * term.weight, needed: false }))]
    .filter((term) => term.word.length <= maxWordCharacters)
    .slice(0, maxWords)
}

function around({ path, line }: Place): { path: string; from: number; count: number } {
  return { path, from: Math.max(1, line - 6), count: 13 }
}

function notFound(search: SearchResult, [closest]: readonly string[]): string {
  const absent = search.words.filter((one) => one.lines === 0).map((one) => one.word)
  const told = [
    `I found no answer to that in this folder (${search.files} files searched).`,
    absent.length > 0 && `Nowhere in it: ${absent.join(', ')}.`,
    search.unread > 0 && `Not searched: ${search.unread} (binary, too large or not readable).`,
    search.stopped && 'There was too much to search it all.',
  ]
  const near = closest === undefined ? '' : `\n\nThe closest, which does not answer it:\n\n${closest}`
  return told.filter((one) => one !== false).join(' ') + near
}
