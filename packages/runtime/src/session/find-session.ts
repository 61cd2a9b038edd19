import { SessionNotFoundError, type SessionRecord, type SessionScope, type SessionStore } from '@daybook/core'
import { checkIds } from '../check-arguments.ts'

/** Throws `InvalidIdError`, and `SessionNotFoundError` when there is none in the scope. */
export async function findSession(store: SessionStore, sessionId: string, scope: SessionScope): Promise<SessionRecord> {
  checkIds({ sessionId })
  const session = await store.read(sessionId, scope)
  if (session === undefined) throw new SessionNotFoundError(sessionId)
  return session
}
