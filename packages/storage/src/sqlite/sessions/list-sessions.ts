import type { Page, SessionCursor, SessionRecord, SessionScope } from '@daybook/core'
import type { Database } from '../driver.ts'
import { decodeSession, type SessionRow } from './session-row.ts'

/** Newest first, from the cursor on, without it. At most `limit`. */
export type ListSessions = (
  scope: SessionScope,
  after: SessionCursor | undefined,
  limit: number,
) => Page<SessionRecord, SessionCursor>

export function listSessions(database: Database): ListSessions {
  const select = database.prepare<[string, number, string, number], SessionRow>(
    `SELECT * FROM sessions WHERE coalesce(tenant, '') = ? AND (created_at, id) < (?, ?)
    ORDER BY created_at DESC, id DESC LIMIT ?`,
  )
  return ({ tenant }, after, limit) => {
    const { createdAt, id } = after ?? { createdAt: Infinity, id: '' }
    const rows = select.all(tenant ?? '', createdAt, id, limit + 1)
    const items = rows.slice(0, limit).map(decodeSession)
    const last = items.at(-1)
    return { items, next: rows.length > limit && last ? { createdAt: last.createdAt, id: last.id } : null, floor: 1 }
  }
}
