import { checkPageLimit, checkSession, checkSessionCursor, type SessionStore } from '@daybook/core'
import type { Lease } from './lease.ts'

export function sqliteSessionStore(lease: Lease): SessionStore {
  return {
    storage: lease.identity,
    async create(given) {
      const session = checkSession(given)
      return lease.write(({ createSession }) => createSession(session))
    },
    async read(sessionId, scope) {
      return lease.read(({ readSession }) => readSession(sessionId, scope))
    },
    async list({ scope, limit, after }) {
      const pageLimit = checkPageLimit(limit)
      const cursor = checkSessionCursor(after)
      return lease.read(({ listSessions }) => listSessions(scope, cursor, pageLimit))
    },
    async remove(sessionId, scope) {
      const removed = await lease.write(({ removeSession }) => removeSession(sessionId, scope))
      if (removed) lease.checkpoint()
      return removed
    },
    close: lease.close,
  }
}
