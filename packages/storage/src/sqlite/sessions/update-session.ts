import {
  planUpdate,
  SessionNotFoundError,
  type SessionRecord,
  type SessionScope,
  type SessionUpdate,
} from '@daybook/core'
import type { Decision } from '../decision.ts'
import type { Database } from '../driver.ts'
import type { SearchIndex } from '../search/search-index.ts'
import type { ReadSession } from './read-session.ts'
import type { SessionListings } from './session-listings.ts'
import type { SessionRevisions } from './session-revisions.ts'
import { encodeSession, type SessionRow } from './session-row.ts'

export type UpdateSession = (
  sessionId: string,
  scope: SessionScope,
  update: SessionUpdate,
  changedAt: number,
) => Decision<SessionRecord>

export function updateSession(
  database: Database,
  readSession: ReadSession,
  listings: SessionListings,
  revisions: SessionRevisions,
  search: SearchIndex,
): UpdateSession {
  const write = database.prepare<[SessionRow]>(
    `UPDATE sessions SET
      title = :title, cwd = :cwd, llm_connection_slug = :llm_connection_slug, model = :model,
      permission_mode = :permission_mode, permission_rules = :permission_rules, settings = :settings,
      revision = :revision, labels = :labels, archived_at = :archived_at
    WHERE id = :id`,
  )
  return (sessionId, scope, update, changedAt) => {
    const before = readSession(sessionId, scope)
    if (before === undefined) throw new SessionNotFoundError(sessionId)
    const revision = planUpdate(before, update, changedAt)
    const { session } = revision
    return () => {
      if (session.title !== before.title) search.changeTitle(session.id, session.title)
      write.run(encodeSession(session))
      listings.write(session)
      revisions.write(revision)
      return session
    }
  }
}
