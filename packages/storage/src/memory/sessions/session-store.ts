import { isDeepStrictEqual } from 'node:util'
import {
  checkBranch,
  checkNewSession,
  checkPageLimit,
  checkPosition,
  checkRemoval,
  checkScope,
  checkSearch,
  checkSessionCursor,
  checkUpdate,
  compareCodePoints,
  firstRevision,
  listingOf,
  listingsOf,
  planUpdate,
  type SessionCursor,
  SessionExistsError,
  SessionNotFoundError,
  type SessionScope,
  type SessionStore,
  type StorageIdentity,
} from '@daybook/core'
import { createGate } from '../gate.ts'
import { type MemoryLedger, type MemorySession, sessionHead, sessionOf } from '../ledger.ts'
import { remove } from './remove.ts'
import { search } from './search.ts'

export function memorySessionStore(ledger: MemoryLedger, storage: StorageIdentity): SessionStore {
  const gate = createGate()
  const find = (sessionId: string, scope: SessionScope) => {
    const { tenant } = checkScope(scope)
    const session = ledger.sessions.get(sessionId)
    return session?.record?.tenant === tenant ? (session as Created) : undefined
  }
  const get = (sessionId: string, scope: SessionScope) => {
    const session = find(sessionId, scope)
    if (session === undefined) throw new SessionNotFoundError(sessionId)
    return session
  }
  return {
    storage,
    async create(given) {
      gate.check()
      const record = checkNewSession(given)
      const { id, tenant, externalId } = record
      if (ledger.sessions.get(id)?.record !== undefined) throw new SessionExistsError('id', id)
      if (externalId !== null && recordsOf(ledger, tenant).some((other) => other.externalId === externalId)) {
        throw new SessionExistsError('externalId', externalId)
      }
      checkBranch(record, (parentId) => {
        const parent = ledger.sessions.get(parentId)?.record
        return parent && { tenant: parent.tenant, head: sessionHead(ledger, parentId) }
      })
      const session = sessionOf(ledger, id)
      session.revisions.push(firstRevision(record, ledger.now()))
      session.number = ledger.lastNumber += 1
      session.record = record
      return structuredClone(record)
    },
    async read(sessionId, scope) {
      gate.check()
      return structuredClone(find(sessionId, scope)?.record)
    },
    async list(query) {
      gate.check()
      const { tenant } = checkScope(query?.scope)
      const listing = listingOf(query.filter)
      const limit = checkPageLimit(query.limit)
      const after = checkSessionCursor(query.after)
      const rest = recordsOf(ledger, tenant)
        .filter((session) => listingsOf(session).some((one) => isDeepStrictEqual(one, listing)))
        .filter((session) => after === undefined || compareCursors(session, after) < 0)
        .sort((a, b) => compareCursors(b, a))
      const items = structuredClone(rest.slice(0, limit))
      const last = items.at(-1)
      const next = rest.length > limit && last !== undefined ? { createdAt: last.createdAt, id: last.id } : null
      return { items, next, floor: 1 }
    },
    async update(request) {
      gate.check()
      const scope = checkScope(request?.scope)
      const update = checkUpdate(request)
      const session = get(request.sessionId, scope)
      const revision = planUpdate(session.record, update, ledger.now())
      session.revisions.push(revision)
      session.record = revision.session
      return structuredClone(revision.session)
    },
    async listRevisions(sessionId, scope, query = {}) {
      gate.check()
      checkScope(scope)
      const [limit, after] = [checkPageLimit(query.limit), checkPosition(query.after)]
      const rest = get(sessionId, scope).revisions.filter(({ revision }) => revision > after)
      const items = structuredClone(rest.slice(0, limit))
      return { items, next: rest.length > limit ? items.at(-1)!.revision : null, floor: 1 }
    },
    async search(query) {
      gate.check()
      return search(ledger, checkSearch(query))
    },
    async remove(sessionId, scope, options) {
      gate.check()
      const withBranches = checkRemoval(options)
      if (find(sessionId, scope) === undefined) return false
      remove(ledger, sessionId, withBranches)
      return true
    },
    close: gate.close,
  }
}

type Created = MemorySession & Required<Pick<MemorySession, 'record'>>

function recordsOf(ledger: MemoryLedger, tenant: string | null) {
  return [...ledger.sessions.values()].flatMap(({ record }) => (record?.tenant === tenant ? [record] : []))
}

function compareCursors(a: SessionCursor, b: SessionCursor): number {
  return a.createdAt - b.createdAt || compareCodePoints(a.id, b.id)
}
