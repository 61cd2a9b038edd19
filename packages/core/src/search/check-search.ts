import { InvalidInputError } from '../errors/index.ts'
import { checkScope } from '../ports/check-scope.ts'
import type { SearchQuery } from '../ports/session-store.ts'
import { searchWords } from './words.ts'

/** Where a page of search begins: behind this title or text, by the order in which the storage took them. */
export interface SearchPosition {
  readonly of: 'title' | 'said'
  readonly number: number
}

/** What a search is for. */
export interface SearchWords {
  /** These occur. */
  readonly whole: readonly string[]
  /** A word that begins so occurs. */
  readonly beginning: string
}

export interface CheckedSearch {
  readonly tenant: string | null
  readonly words: SearchWords
  readonly limit: number
  readonly after: SearchPosition | undefined
}

const maxTextLength = 1000
const maxWords = 32
const defaultItems = 20
const maxItems = 100

/** Throws `InvalidInputError`. */
export function checkSearch(query: SearchQuery): CheckedSearch {
  const { tenant } = checkScope(query?.scope)
  const { limit = defaultItems, after } = query
  if (!Number.isInteger(limit) || limit < 1 || limit > maxItems) {
    throw new InvalidInputError('limit', `must be an integer from 1 to ${maxItems}, not ${String(limit)}`)
  }
  return { tenant, words: readWords(query.text), limit, after: after === undefined ? undefined : readPosition(after) }
}

/** The cursor of the page that begins behind it. */
export function searchCursor({ of, number }: SearchPosition): string {
  return `${of}:${number}`
}

function readWords(text: unknown): SearchWords {
  if (typeof text !== 'string' || text.length > maxTextLength) {
    throw new InvalidInputError('text', `must be a string of at most ${maxTextLength} characters`)
  }
  const whole = [...searchWords(text)]
  const beginning = whole.pop()
  if (beginning === undefined) throw new InvalidInputError('text', 'has no word: letters or digits')
  if (whole.length < maxWords) return { whole, beginning }
  throw new InvalidInputError('text', `must have at most ${maxWords} words`)
}

function readPosition(after: unknown): SearchPosition {
  const [, of, digits] = (typeof after === 'string' && /^(title|said):(\d{1,15})$/.exec(after)) || []
  if (digits !== undefined) return { of: of as SearchPosition['of'], number: Number(digits) }
  throw new InvalidInputError('after', 'must be `next` of a page of this search')
}
