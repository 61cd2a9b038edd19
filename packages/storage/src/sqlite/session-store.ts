import {
  checkNewSession,
  checkPageLimit,
  checkPosition,
  checkRemoval,
  checkScope,
  checkSearch,
  checkSessionCursor,
  checkUpdate,
  listingOf,
  SessionNotFoundError,
  type SessionStore,
} from '@daybook/core'

import type { Lease } from './lease.ts'
import { catchUp, removeLeftovers } from './search/catch-up.ts'

export function sqliteSessionStore(lease: Lease): SessionStore {
  return {
    storage: lease.identity,
    async create(given) {
      const session = checkNewSession(given)
      return lease.write(({ createSession }) => createSession(session, lease.now()))
    },
    async read(sessionId, givenScope) {
      const scope = checkScope(givenScope)
      return lease.read(({ readSession }) => readSession(sessionId, scope))
    },
    async list(query) {
      const scope = checkScope(query?.scope)
      const listing = listingOf(query.filter)
      const pageLimit = checkPageLimit(query.limit)
      const cursor = checkSessionCursor(query.after)
      return lease.read(({ listSessions }) => listSessions(scope, listing, cursor, pageLimit))
    },
    async update(request) {
      const scope = checkScope(request?.scope)
      const { sessionId } = request
      const update = checkUpdate(request)
      return lease.write(({ updateSession }) => updateSession(sessionId, scope, update, lease.now()))
    },
    async listRevisions(sessionId, givenScope, query = {}) {
      const scope = checkScope(givenScope)
      const [limit, after] = [checkPageLimit(query.limit), checkPosition(query.after)]
      return lease.read(({ readSession, sessionRevisions }) => {
        if (readSession(sessionId, scope) === undefined) throw new SessionNotFoundError(sessionId)
        return sessionRevisions.list(sessionId, after, limit)
      })
    },
    async search(query) {
      const search = checkSearch(query)
      await catchUp(lease)
      return lease.read(({ findSaid }) => findSaid(search))
    },
    async remove(sessionId, givenScope, options) {
      const scope = checkScope(givenScope)
      const withBranches = checkRemoval(options)
      const removed = await lease.write(({ removeSession }) => removeSession(sessionId, scope, withBranches))
      await removeLeftovers(lease)
      if (removed) lease.checkpoint()
      return removed
    },
    close: lease.close,
  }
}
