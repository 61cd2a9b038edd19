import type { FolderList } from '../folder/list.ts'
import type { FileLines } from '../folder/read.ts'
import { maxWordCharacters, maxWords, type Place, rarity, type SearchResult } from '../search/search.ts'
import { cite, quote } from './quote.ts'
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

/** A place answers when it holds this share of the question; of several, those that hold nearly as much as the best. */
const enough = 0.45
const nearly = 0.65
/** No word weighs more than this part of the weight of an absent one: what is absent may have another name. */
const rarest = 0.6

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
    const weights = weigh(search, terms)
    const places = search.places.filter((place) => !place.text.includes(question.trim()))
    const shares = places.map((place) => shareOf(place, weights))
    const top = Math.max(0, ...shares)
    if (top < enough) return { answer: notFound(search) }
    const best = places.filter((_, at) => shares[at]! >= nearly * top).slice(0, 3)
    if (!hasRead)
      return {
        calls: best.map(({ path, from, to }) => ({ tool: 'read', input: { path, from, count: to - from + 1 } })),
      }
    const quotes = best.flatMap((place) => {
      const lines = read.find((one) => one.path === place.path && one.from === place.from)
      return lines === undefined ? [] : [quote(place, lines)]
    })
    return { answer: [offline, ...quotes].join('\n\n') }
  }
  if (list !== undefined) {
    const about = list.entries.find((one) => one.kind === 'file' && /^(?:readme|index|about)\b/i.test(one.name))
    if (about !== undefined && !hasRead) return { calls: [{ tool: 'read', input: { path: about.name, count: 7 } }] }
    const names = list.entries.map((one) => (one.kind === 'folder' ? `${one.name}/` : one.name))
    const begin = read.flatMap(({ path, lines }) =>
      lines.map((text, at) => (text.trim() && cite(path, at + 1, text)) || ''),
    )
    return { answer: [offline, `The folder holds ${names.join(', ')}.`, begin.filter(Boolean).join('\n')].join('\n\n') }
  }
  if (results.length > 0) return { answer: 'I found no answer: I could not look into the folder.' }
  const words = [...terms.keys()].filter((word) => word.length <= maxWordCharacters).slice(0, maxWords)
  return { calls: [words.length === 0 ? { tool: 'list', input: {} } : { tool: 'search', input: { words } }] }
}

/** The weight of each word in the question, by what it carries there and how rare it is in the folder. */
function weigh(search: SearchResult, terms: ReadonlyMap<string, number>): Map<string, number> {
  const most = rarest * rarity(0, search.lines)
  return new Map(
    search.words.map(({ word, lines }) => [word, (terms.get(word) ?? 1) * Math.min(most, rarity(lines, search.lines))]),
  )
}

/** How much of the weight a place holds, from 0 to 1; half a match counts less than a half. */
function shareOf(place: Place, weights: ReadonlyMap<string, number>): number {
  const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0)
  const held = [...weights].map(([word, weight]) => weight * (place.words[word] ?? 0) ** 1.5)
  return sum(held) / sum([...weights.values()])
}

function notFound({ words, files, unread, stopped }: SearchResult): string {
  const absent = words.filter((one) => one.lines === 0).map((one) => one.word)
  return [
    `I found no answer to that in this folder (${files} files searched).`,
    ...(absent.length > 0 ? [`Nowhere in it: ${absent.join(', ')}.`] : []),
    ...(unread > 0 ? [`Not searched: ${unread} (binary, too large or not readable).`] : []),
    ...(stopped ? ['There was too much to search it all.'] : []),
  ].join(' ')
}
