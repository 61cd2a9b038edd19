import { RevisionConflictError } from '../errors/index.ts'
import { checkSession } from '../ledger/check-session.ts'
import type { SessionRecord, SessionRevision } from '../ports/session-store.ts'
import type { SessionUpdate } from './check-update.ts'

/**
 * What an update makes of the session, sharing nothing with what was given. A session that is archived already keeps the
 * time of that. Throws `RevisionConflictError`, and what `checkSession` throws for the session that would come of it.
 */
export function planUpdate(session: SessionRecord, update: SessionUpdate, changedAt: number): SessionRevision {
  const { by, expectedRevision = session.revision } = update
  if (session.revision !== expectedRevision) {
    throw new RevisionConflictError(session.id, expectedRevision, session.revision)
  }
  const { archived, ...changes } = update.changes
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const revision = session.revision + 1
  const archivedAt = archived === false ? null : archived ? (session.archivedAt ?? changedAt) : session.archivedAt
  return { revision, changedAt, by, session: checkSession({ ...session, ...given, revision, archivedAt }) }
}

/** How a session begins: the record that its creation writes beside it. */
export function firstRevision(session: SessionRecord, changedAt: number): SessionRevision {
  return { revision: session.revision, changedAt, by: null, session }
}
