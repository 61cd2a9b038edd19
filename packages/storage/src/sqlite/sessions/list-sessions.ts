import type { Page, SessionCursor, SessionListing, SessionRecord, SessionScope } from '@daybook/core'
import type { Database } from '../driver.ts'
import { decodeSession, type SessionRow } from './session-row.ts'

/** Newest first, from the cursor on, without it. At most `limit`. */
export type ListSessions = (
  scope: SessionScope,
  listing: SessionListing,
  after: SessionCursor | undefined,
  limit: number,
) => Page<SessionRecord, SessionCursor>

export function listSessions(database: Database): ListSessions {
  const select = database.prepare<[string, string, string, string, number, string, number], SessionRow>(
    `SELECT s.* FROM session_listings l CROSS JOIN sessions s ON s.id = l.session_id
    WHERE l.tenant = ? AND l.archived = ? AND l.label = ? AND l.parent_session_id = ?
      AND (l.created_at, l.session_id) < (?, ?)
    ORDER BY l.created_at DESC, l.session_id DESC LIMIT ?`,
  )
  return ({ tenant }, { archived, label, parentSessionId }, after, limit) => {
    const { createdAt, id } = after ?? { createdAt: Infinity, id: '' }
    const rows = select.all(tenant ?? '', archived, label, parentSessionId, createdAt, id, limit + 1)
    const items = rows.slice(0, limit).map(decodeSession)
    const last = items.at(-1)
    return { items, next: rows.length > limit && last ? { createdAt: last.createdAt, id: last.id } : null, floor: 1 }
  }
}
