import { checkSession, encodeCanonicalJson, LedgerDamagedError, type Page, type SessionRevision } from '@daybook/core'
import type { Database } from '../driver.ts'

export interface SessionRevisions {
  readonly write: (revision: SessionRevision) => void
  /** By revision, after the given one, at most `limit`. Throws `LedgerDamagedError`. */
  readonly list: (sessionId: string, after: number, limit: number) => Page<SessionRevision, number>
  /** As `list`, not decoded. */
  readonly rows: (sessionId: string, after: number, limit: number) => readonly RevisionRow[]
}

export interface RevisionRow {
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
  const rows = (sessionId: string, after: number, limit: number) => select.all(sessionId, after, limit)
  return {
    rows,
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
      const found = rows(sessionId, after, limit + 1)
      const items = found.slice(0, limit).map(decodeRevision)
      return { items, next: found.length > limit ? items.at(-1)!.revision : null, floor: 1 }
    },
  }
}

/** Throws `LedgerDamagedError`. */
export function decodeRevision(row: RevisionRow): SessionRevision {
  const { session_id: sessionId, revision, changed_at: changedAt, changed_by: by } = row
  try {
    const session = checkSession(JSON.parse(row.session_json))
    if (session.id !== sessionId || session.revision !== revision) throw new Error('it is another revision')
    return { revision, changedAt, by, session }
  } catch (error) {
    throw new LedgerDamagedError(sessionId, `revision ${revision}`, (error as Error).message, { cause: error })
  }
}
