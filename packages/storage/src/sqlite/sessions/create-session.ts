import { checkBranch, firstRevision, SessionExistsError, type SessionRecord } from '@daybook/core'
import type { Decision } from '../decision.ts'
import type { Database } from '../driver.ts'
import type { Heads } from '../events/heads.ts'
import type { SearchIndex } from '../search/search-index.ts'
import type { SessionListings } from './session-listings.ts'
import type { SessionRevisions } from './session-revisions.ts'
import { encodeSession, type SessionRow } from './session-row.ts'

export type CreateSession = (session: SessionRecord, changedAt: number) => Decision<SessionRecord>

export function createSession(
  database: Database,
  heads: Heads,
  listings: SessionListings,
  revisions: SessionRevisions,
  search: SearchIndex,
): CreateSession {
  const findTenant = database.prepare<[string], [string | null]>('SELECT tenant FROM sessions WHERE id = ?').raw()
  const externalIdExists = database
    .prepare<[string, string], 1>("SELECT 1 FROM sessions WHERE coalesce(tenant, '') = ? AND external_id = ?")
    .pluck()
  const insert = database.prepare<[SessionRow]>(
    `INSERT INTO sessions (
      id, tenant, subject, external_id, title, cwd, backend_kind, llm_connection_slug, model, permission_mode,
      permission_rules, settings, revision, labels, parent_session_id, parent_session_seq, created_at, archived_at
    ) VALUES (
      :id, :tenant, :subject, :external_id, :title, :cwd, :backend_kind, :llm_connection_slug, :model, :permission_mode,
      :permission_rules, :settings, :revision, :labels, :parent_session_id, :parent_session_seq, :created_at, :archived_at
    )`,
  )
  return (session, changedAt) => {
    const { id, tenant, externalId } = session
    if (findTenant.get(id) !== undefined) throw new SessionExistsError('id', id)
    if (externalId !== null && externalIdExists.get(tenant ?? '', externalId) !== undefined) {
      throw new SessionExistsError('externalId', externalId)
    }
    checkBranch(session, (parentId) => {
      const parent = findTenant.get(parentId)
      return parent && { tenant: parent[0], head: heads.session(parentId) }
    })
    return () => {
      insert.run(encodeSession(session))
      listings.write(session)
      revisions.write(firstRevision(session, changedAt))
      search.adopt(id)
      return session
    }
  }
}
