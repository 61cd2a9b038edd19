import {
  checkPageLimit,
  checkScope,
  checkSession,
  checkSessionCursor,
  compareCodePoints,
  type SessionCursor,
  SessionBusyError,
  SessionExistsError,
  type SessionScope,
  type SessionStore,
  type StorageIdentity,
} from '@daybook/core'
import { createGate } from '../gate.ts'
import { type MemoryLedger, rowsOf, runsOf, sessionOf } from '../ledger.ts'

export function memorySessionStore(ledger: MemoryLedger, storage: StorageIdentity): SessionStore {
  const gate = createGate()
  const find = (sessionId: string, scope: SessionScope) => {
    const { tenant } = checkScope(scope)
    const record = ledger.sessions.get(sessionId)?.record
    return record?.tenant === tenant ? record : undefined
  }
  return {
    storage,
    async create(given) {
      gate.check()
      const session = checkSession(given)
      const { id, tenant, externalId } = session
      if (ledger.sessions.get(id)?.record !== undefined) throw new SessionExistsError('id', id)
      if (externalId !== null && recordsOf(ledger, tenant).some((other) => other.externalId === externalId)) {
        throw new SessionExistsError('externalId', externalId)
      }
      sessionOf(ledger, id).record = session
      return structuredClone(session)
    },
    async read(sessionId, scope) {
      gate.check()
      return structuredClone(find(sessionId, scope))
    },
    async list(query) {
      gate.check()
      const { tenant } = checkScope(query?.scope)
      const limit = checkPageLimit(query.limit)
      const after = checkSessionCursor(query.after)
      const sorted = recordsOf(ledger, tenant).sort((a, b) => compareCursors(b, a))
      const rest = after === undefined ? sorted : sorted.filter((session) => compareCursors(session, after) < 0)
      const items = structuredClone(rest.slice(0, limit))
      const last = items.at(-1)
      const next = rest.length > limit && last !== undefined ? { createdAt: last.createdAt, id: last.id } : null
      return { items, next, floor: 1 }
    },
    async remove(sessionId, scope) {
      gate.check()
      if (find(sessionId, scope) === undefined) return false
      const runs = runsOf(ledger, sessionId)
      const unfinished = runs.find((run) => run.finishedAt === null)
      if (unfinished !== undefined) throw new SessionBusyError(sessionId, unfinished.runId, unfinished.turnId)
      for (const { runId } of runs) ledger.runs.delete(runId)
      for (const { invocationId } of rowsOf(ledger, sessionId)) {
        ledger.heads.delete(invocationId)
        ledger.invocations.delete(invocationId)
      }
      return ledger.sessions.delete(sessionId)
    },
    close: gate.close,
  }
}

function recordsOf(ledger: MemoryLedger, tenant: string | null) {
  return [...ledger.sessions.values()].flatMap(({ record }) => (record?.tenant === tenant ? [record] : []))
}

function compareCursors(a: SessionCursor, b: SessionCursor): number {
  return a.createdAt - b.createdAt || compareCodePoints(a.id, b.id)
}
