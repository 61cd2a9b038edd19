import { createHash } from 'node:crypto'
import { searchWords } from '@daybook/core'
import type { Database } from '../driver.ts'

/** What words are of. */
export type WordSource = 'title' | 'said'

/** Words by the number of the session, or of the event, that has them. A number may come with several lists of words. */
export interface WordTable {
  readonly insert: (number: number, words: string) => void
  /** One list, as it was inserted. Some 25 µs a word: nothing of it stays in the file. */
  readonly remove: (number: number, words: string) => void
  readonly clear: () => void
}

/** Of one list, so that removing one never takes long. */
const maxWords = 250

export function wordTable(database: Database, source: WordSource): WordTable {
  const table = { title: 'search_titles', said: 'search_said' }[source]
  const insert = database.prepare<[number, string]>(`INSERT INTO ${table} (rowid, words) VALUES (?, ?)`)
  const remove = database.prepare<[number, string]>(
    `INSERT INTO ${table} (${table}, rowid, words) VALUES ('delete', ?, ?)`,
  )
  const clear = database.prepare(`INSERT INTO ${table} (${table}) VALUES ('delete-all')`)
  return {
    insert: (number, words) => void insert.run(number, words),
    remove: (number, words) => void remove.run(number, words),
    clear: () => void clear.run(),
  }
}

/** The words of a text as a table takes them, in lists. */
export function wordLists(tenant: string | null, text: string): string[] {
  const words = Array.from(searchWords(text), ownWord(tenant))
  const lists = Math.ceil(words.length / maxWords)
  return Array.from({ length: lists }, (_, index) => words.slice(index * maxWords, (index + 1) * maxWords).join(' '))
}

/**
 * Gives words as the tables have them: each with its tenant in front, so that looking for one meets nothing of others. They
 * are letters, digits and a dot beyond ASCII, which SQLite's tokenizer takes as they are.
 */
export function ownWord(tenant: string | null): (word: string) => string {
  if (tenant === null) return (word) => word
  const prefix = createHash('sha256').update(tenant).digest('hex').slice(0, 16)
  return (word) => `${prefix}·${word}`
}
