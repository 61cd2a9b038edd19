import { checkSession, encodeCanonicalJson, LedgerDamagedError, type Page, type SessionRevision } from '@daybook/core'
import type { Database } from '../driver.ts'

export interface SessionRevisions {
  readonly write: (revision: SessionRevision) => void
  /** By revision, after the given one, at most `limit`. Throws `LedgerDamagedError`. */
  readonly list: (sessionId: string, after: number, limit: number) => Page<SessionRevision, number>
}

interface RevisionRow {
  readonly session_id: string
  readonly revision: number
  readonly changed_at: number
  readonly changed_by: string | null
  readonly session_json: string
}

export function sessionRevisions(database: Database): SessionRevisions {
  const insert = database.prepare<[RevisionRow]>(
    `INSERT INTO session_revisions (session_id, revision, changed_at, changed_by, session_json)
    VALUES (:session_id, :revision, :changed_at, :changed_by, :session_json)`,
  )
  const select = database.prepare<[string, number, number], RevisionRow>(
    'SELECT * FROM session_revisions WHERE session_id = ? AND revision > ? ORDER BY revision LIMIT ?',
  )
  return {
    write({ revision, changedAt, by, session }) {
      insert.run({
        session_id: session.id,
        revision,
        changed_at: changedAt,
        changed_by: by,
        session_json: encodeCanonicalJson(session),
      })
    },
    list(sessionId, after, limit) {
      const rows = select.all(sessionId, after, limit + 1)
      const items = rows.slice(0, limit).map(decodeRevision)
      return { items, next: rows.length > limit ? items.at(-1)!.revision : null, floor: 1 }
    },
  }
}

function decodeRevision(row: RevisionRow): SessionRevision {
  const { session_id: sessionId, revision, changed_at: changedAt, changed_by: by } = row
  try {
    return { revision, changedAt, by, session: checkSession(JSON.parse(row.session_json)) }
  } catch (error) {
    throw new LedgerDamagedError(sessionId, `revision ${revision}`, (error as Error).message, { cause: error })
  }
}
