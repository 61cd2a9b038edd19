import { SessionExistsError, type SessionRecord } from '@daybook/core'
import type { Decision } from '../decision.ts'
import type { Database } from '../driver.ts'
import { encodeSession, type SessionRow } from './session-row.ts'

export type CreateSession = (session: SessionRecord) => Decision<SessionRecord>

export function createSession(database: Database): CreateSession {
  const idExists = database.prepare<[string], 1>('SELECT 1 FROM sessions WHERE id = ?').pluck()
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
  return (session) => {
    const { id, tenant, externalId } = session
    if (idExists.get(id) !== undefined) throw new SessionExistsError('id', id)
    if (externalId !== null && externalIdExists.get(tenant ?? '', externalId) !== undefined) {
      throw new SessionExistsError('externalId', externalId)
    }
    return () => {
      insert.run(encodeSession(session))
      return session
    }
  }
}
