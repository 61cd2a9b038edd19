import { checkPageLimit, checkScope, checkSession, checkSessionCursor, type SessionStore } from '@daybook/core'
import type { Lease } from './lease.ts'

export function sqliteSessionStore(lease: Lease): SessionStore {
  return {
    storage: lease.identity,
    async create(given) {
      const session = checkSession(given)
      return lease.write(({ createSession }) => createSession(session))
    },
    async read(sessionId, givenScope) {
      const scope = checkScope(givenScope)
      return lease.read(({ readSession }) => readSession(sessionId, scope))
    },
    async list(query) {
      const scope = checkScope(query?.scope)
      const pageLimit = checkPageLimit(query.limit)
      const cursor = checkSessionCursor(query.after)
      return lease.read(({ listSessions }) => listSessions(scope, cursor, pageLimit))
    },
    async remove(sessionId, givenScope) {
      const scope = checkScope(givenScope)
      const removed = await lease.write(({ removeSession }) => removeSession(sessionId, scope))
      if (removed) lease.checkpoint()
      return removed
    },
    close: lease.close,
  }
}
