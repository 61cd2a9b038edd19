import type { Database } from '../driver.ts'
import { sqliteCode } from '../errors.ts'
import { type IndexedUpTo, type SearchRow, searchRows } from './search-rows.ts'
import { wordLists } from './word-table.ts'

/**
 * What is wrong with the index of search, in words: whether it has the words of what it covers, and no others. Reads all of
 * that, and blocks meanwhile.
 */
export function searchDifferences(database: Database, unicode: string): string[] {
  const state = database
    .prepare<[], IndexedUpTo & { readonly unicode: string }>('SELECT unicode, titles, said FROM search_state')
    .get()
  if (state === undefined) return ['the state of the search index is missing']
  // The next search makes it anew.
  if (state.unicode !== unicode) return []
  const rows = searchRows(database)
  try {
    return [
      ...differences('titles', state.titles, rows.titles, rows.endOfTitles),
      ...differences('said', state.said, rows.said, rows.endOfSaid),
    ]
  } catch (error) {
    if (!sqliteCode(error)?.startsWith('SQLITE_CORRUPT')) throw error
    return [`the search index cannot be read: ${(error as Error).message}`]
  }

  function differences(
    what: 'titles' | 'said',
    upTo: number,
    page: (after: number, upTo: number) => readonly SearchRow[],
    endOfPage: (after: number) => number | undefined,
  ): string[] {
    const expected = new WordDigest()
    for (let after = 0; after < upTo;) {
      const end = Math.min(endOfPage(after) ?? upTo, upTo)
      for (const { number, tenant, text } of page(after, end)) {
        for (const list of wordLists(tenant, text)) expected.addList(number, list)
      }
      after = end
    }
    const source = what === 'titles' ? 'title' : 'said'
    const leftovers = database
      .prepare<[string], { number: number; words: string }>(
        'SELECT number, words FROM search_leftovers WHERE source = ?',
      )
      .iterate(source)
    for (const { number, words } of leftovers) expected.addList(number, words)
    const actual = new WordDigest()
    const vocabulary = `search_${what}_words`
    database.exec(
      `CREATE VIRTUAL TABLE IF NOT EXISTS temp.${vocabulary} USING fts5vocab(main, search_${what}, instance)`,
    )
    const stored = database.prepare<[], [string, number]>(`SELECT term, doc FROM temp.${vocabulary}`).raw().iterate()
    for (const [word, number] of stored) actual.add(number, word)
    if (actual.equals(expected)) return []
    return [`the search index of ${what} has ${actual.count} words; what it covers has ${expected.count}, or others`]
  }
}

/** Tells one set of (number, word) from another without keeping it. */
class WordDigest {
  count = 0
  #sum = 0
  #mix = 0

  addList(number: number, words: string): void {
    for (const word of words.split(' ')) this.add(number, word)
  }

  add(number: number, word: string): void {
    let hash = Math.imul(number ^ 0x811c9dc5, 0x01000193)
    for (let index = 0; index < word.length; index += 1) hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193)
    this.count += 1
    this.#sum = (this.#sum + hash) | 0
    this.#mix = (this.#mix + Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)) | 0
  }

  equals(other: WordDigest): boolean {
    return this.count === other.count && this.#sum === other.#sum && this.#mix === other.#mix
  }
}
