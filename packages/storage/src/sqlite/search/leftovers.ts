import type { Database } from '../driver.ts'
import type { SearchRow } from './search-rows.ts'
import { wordLists, type WordSource, type WordTable } from './word-table.ts'

/**
 * Words of what was removed that still are to be removed from the index. That takes longer than a transaction should, and
 * what they were made of is gone.
 */
export interface Leftovers {
  readonly add: (source: WordSource, row: SearchRow) => void
  readonly exist: () => boolean
  /** For some milliseconds. False where there are none. */
  readonly removeSome: () => boolean
  readonly clear: () => void
}

/** Lists in one step. */
const stepLists = 20
/** UTF-16 units in one step, unless one list has more. */
const stepLength = 2_000

interface LeftoverRow {
  readonly id: number
  readonly source: WordSource
  readonly number: number
  readonly words: string
}

export function searchLeftovers(database: Database, tables: Readonly<Record<WordSource, WordTable>>): Leftovers {
  const insert = database.prepare<[WordSource, number, string]>(
    'INSERT INTO search_leftovers (source, number, words) VALUES (?, ?, ?)',
  )
  const select = database.prepare<[number, number], LeftoverRow>(
    'SELECT * FROM search_leftovers WHERE id > ? ORDER BY id LIMIT ?',
  )
  const remove = database.prepare<[number]>('DELETE FROM search_leftovers WHERE id = ?')
  const clear = database.prepare('DELETE FROM search_leftovers')
  return {
    add(source, { number, tenant, text }) {
      for (const list of wordLists(tenant, text)) insert.run(source, number, list)
    },
    exist: () => select.get(0, 1) !== undefined,
    removeSome() {
      let length = 0
      for (const { id, source, number, words } of select.all(0, stepLists)) {
        if (length > 0 && length + words.length > stepLength) break
        length += words.length
        tables[source].remove(number, words)
        remove.run(id)
      }
      if (length > 0) database.pragma('incremental_vacuum')
      return length > 0
    },
    clear: () => void clear.run(),
  }
}
