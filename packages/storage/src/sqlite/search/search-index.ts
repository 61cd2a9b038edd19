import type { Decision } from '../decision.ts'
import type { Database } from '../driver.ts'
import { type Leftovers, searchLeftovers } from './leftovers.ts'
import { type IndexedUpTo, type SearchRow, searchRows } from './search-rows.ts'
import { wordLists, wordTable, type WordTable } from './word-table.ts'

/**
 * The index of search. Appending and creating sessions do not write to it: whoever searches first brings it up to date, in
 * steps. What is in it is kept true when a title changes or a session goes.
 */
export interface SearchIndex {
  /** How far it has to go now; undefined where it is up to date. */
  readonly behind: () => IndexedUpTo | undefined
  /** Goes on for some milliseconds. Gives true when it has come to the target. */
  readonly step: (target: IndexedUpTo) => Decision<boolean>
  /** After a session was created: takes in what a foreign writer wrote before, where the index has passed that. */
  readonly adopt: (sessionId: string) => void
  /** Before the title of the session changes. */
  readonly changeTitle: (sessionId: string, title: string | null) => void
  /** Before the session and its events are removed: their words go in steps, each soon after. */
  readonly forget: (sessionId: string) => void
  /** After events and sessions were removed: SQLite gives their numbers out again where they were the highest. */
  readonly stepBack: () => void
  /** Empties it; steps fill it again. */
  readonly clear: () => void
  /** Words that are to go. */
  readonly leftovers: Leftovers
}

/** Says what is a letter and which are the same: words made with another are neither found nor removed. */
export const unicode: string = process.versions['unicode'] ?? ''

interface State extends IndexedUpTo {
  readonly unicode: string
}

export function searchIndex(database: Database): SearchIndex {
  const words = { title: wordTable(database, 'title'), said: wordTable(database, 'said') }
  const leftovers = searchLeftovers(database, words)
  const rows = searchRows(database)
  const readState = database.prepare<[], State>('SELECT unicode, titles, said FROM search_state WHERE id = 1')
  const writeState = database.prepare<[State]>(
    'UPDATE search_state SET unicode = :unicode, titles = :titles, said = :said WHERE id = 1',
  )

  /** Where words cannot be told from those of another Unicode, it begins anew. */
  function state(): State {
    const now = readState.get()!
    return now.unicode === unicode ? now : clear()
  }

  function clear(): State {
    words.title.clear()
    words.said.clear()
    leftovers.clear()
    const empty = { unicode, titles: 0, said: 0 }
    writeState.run(empty)
    return empty
  }

  return {
    behind() {
      const [now, last] = [readState.get()!, rows.last()]
      const isBehind = now.unicode !== unicode || now.titles < last.titles || now.said < last.said
      return isBehind || leftovers.exist() ? last : undefined
    },
    step: (target) => () => {
      const from = state()
      if (leftovers.removeSome()) return false
      const toTitle = from.titles < target.titles ? rows.endOfTitles(from.titles) : undefined
      if (toTitle !== undefined) {
        for (const row of rows.titles(from.titles, toTitle)) insert(words.title, row)
        writeState.run({ ...from, titles: toTitle })
        return false
      }
      const toSaid = from.said < target.said ? rows.endOfSaid(from.said) : undefined
      if (toSaid === undefined) return true
      for (const row of rows.said(from.said, toSaid)) insert(words.said, row)
      writeState.run({ ...from, said: toSaid })
      return toSaid >= target.said
    },
    adopt(sessionId) {
      const { said } = readState.get()!
      for (const row of rows.saidIn(sessionId, said)) {
        // Where the index has just begun anew, these come into it with the others.
        if (state().said < row.number) return
        insert(words.said, row)
      }
    },
    changeTitle(sessionId, title) {
      const before = rows.titleOf(sessionId)
      if (before.number > state().titles) return
      for (const list of wordLists(before.tenant, before.text)) words.title.remove(before.number, list)
      insert(words.title, { ...before, text: title ?? '' })
    },
    forget(sessionId) {
      const { titles, said } = state()
      const title = rows.titleOf(sessionId)
      if (title.number <= titles) leftovers.add('title', title)
      for (const row of rows.saidIn(sessionId, said)) leftovers.add('said', row)
    },
    stepBack() {
      const [now, last] = [state(), rows.last()]
      writeState.run({ ...now, titles: Math.min(now.titles, last.titles), said: Math.min(now.said, last.said) })
    },
    clear: () => void clear(),
    leftovers,
  }
}

function insert(table: WordTable, { number, tenant, text }: SearchRow): void {
  for (const list of wordLists(tenant, text)) table.insert(number, list)
}
