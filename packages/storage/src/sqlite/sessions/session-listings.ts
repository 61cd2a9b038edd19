import { listingsOf, type SessionRecord } from '@daybook/core'
import type { Database } from '../driver.ts'

export interface SessionListings {
  /** Puts the session into the listings that it belongs to now, and takes it out of others. */
  readonly write: (session: SessionRecord) => void
}

export function sessionListings(database: Database): SessionListings {
  const remove = database.prepare<[string]>('DELETE FROM session_listings WHERE session_id = ?')
  const insert = database.prepare<[string, string, string, string, number, string]>(
    `INSERT INTO session_listings (tenant, archived, label, parent_session_id, created_at, session_id)
    VALUES (?, ?, ?, ?, ?, ?)`,
  )
  return {
    write(session) {
      const { id, tenant, createdAt } = session
      remove.run(id)
      for (const { archived, label, parentSessionId } of listingsOf(session)) {
        insert.run(tenant ?? '', archived, label, parentSessionId, createdAt, id)
      }
    },
  }
}
