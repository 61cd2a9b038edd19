import { isDeepStrictEqual } from 'node:util'
import { listingsOf, type SessionRecord } from '@daybook/core'
import type { Database } from '../driver.ts'

export interface SessionListings {
  /** Puts the session into the listings that it belongs to now, and takes it out of others. */
  readonly write: (session: SessionRecord) => void
  /** Whether they have it where it belongs, and nowhere else. */
  readonly have: (session: SessionRecord) => boolean
}

type ListingRow = [
  tenant: string,
  archived: string,
  label: string,
  parentSessionId: string,
  createdAt: number,
  sessionId: string,
]

export function sessionListings(database: Database): SessionListings {
  const remove = database.prepare<[string]>('DELETE FROM session_listings WHERE session_id = ?')
  const insert = database.prepare<ListingRow>(
    `INSERT INTO session_listings (tenant, archived, label, parent_session_id, created_at, session_id)
    VALUES (?, ?, ?, ?, ?, ?)`,
  )
  const select = database
    .prepare<[string], ListingRow>(
      `SELECT tenant, archived, label, parent_session_id, created_at, session_id FROM session_listings
      WHERE session_id = ?`,
    )
    .raw()
  const keys = (rows: readonly ListingRow[]) => rows.map((row) => JSON.stringify(row)).sort()
  return {
    write(session) {
      remove.run(session.id)
      for (const row of listingRows(session)) insert.run(...row)
    },
    have: (session) => isDeepStrictEqual(keys(select.all(session.id)), keys(listingRows(session))),
  }
}

function listingRows(session: SessionRecord): ListingRow[] {
  const { id, tenant, createdAt } = session
  return listingsOf(session).map(({ archived, label, parentSessionId }) => {
    return [tenant ?? '', archived, label, parentSessionId, createdAt, id]
  })
}
