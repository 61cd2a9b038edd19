import {
  type CheckedSearch,
  type Page,
  saidHit,
  searchCursor,
  type SearchHit,
  type SearchPosition,
  type SearchWords,
  titleHit,
} from '@daybook/core'
import type { Database } from '../driver.ts'
import { decodeEvent, eventColumns, type EventRow } from '../events/event-row.ts'
import type { ReadSession } from '../sessions/read-session.ts'
import { decodeSession, type SessionRow } from '../sessions/session-row.ts'
import { ownWord } from './word-table.ts'

/** Looks into the index as it is. */
export type FindSaid = (search: CheckedSearch) => Page<SearchHit, string>

interface Found extends SearchPosition {
  readonly hit: SearchHit
}

export function findSaid(database: Database, readSession: ReadSession): FindSaid {
  const titles = database.prepare<[string, number, string | null, number], SessionRow & { readonly number: number }>(
    `SELECT s.* FROM search_titles w CROSS JOIN sessions s ON s.number = w.rowid
    WHERE w.search_titles MATCH ? AND w.rowid < ? AND s.tenant IS ? ORDER BY w.rowid DESC LIMIT ?`,
  )
  const said = database
    .prepare<[string, number, string | null, number], readonly [number: number, ...EventRow]>(
      `SELECT w.rowid, ${eventColumns('e')} FROM search_said w CROSS JOIN runtime_events e ON e.number = w.rowid
      CROSS JOIN sessions s ON s.id = e.session_id
      WHERE w.search_said MATCH ? AND w.rowid < ? AND s.tenant IS ? ORDER BY w.rowid DESC LIMIT ?`,
    )
    .raw()

  return ({ tenant, words, limit, after }) => {
    const match = matchExpression(tenant, words)
    const before = (of: SearchPosition['of']) => (after?.of === of ? after.number : Number.MAX_SAFE_INTEGER)
    const found: Found[] = []
    if (after?.of !== 'said') {
      for (const row of titles.all(match, before('title'), tenant, limit + 1)) {
        found.push({ of: 'title', number: row.number, hit: titleHit(words, decodeSession(row)) })
      }
    }
    if (found.length <= limit) {
      for (const [number, ...row] of said.all(match, before('said'), tenant, limit + 1 - found.length)) {
        const stored = decodeEvent(row)
        const session = readSession(stored.event.sessionId, { tenant })!
        found.push({ of: 'said', number, hit: saidHit(words, session, stored) })
      }
    }
    const items = found.slice(0, limit)
    return {
      items: items.map(({ hit }) => hit),
      next: found.length > limit ? searchCursor(items.at(-1)!) : null,
      floor: 1,
    }
  }
}

function matchExpression(tenant: string | null, { whole, beginning }: SearchWords): string {
  const own = ownWord(tenant)
  return [...whole.map((word) => `"${own(word)}"`), `"${own(beginning)}" *`].join(' AND ')
}
