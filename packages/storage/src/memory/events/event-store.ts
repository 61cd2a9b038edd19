import {
  checkInvocationCursor,
  checkOwner,
  checkPageLimit,
  checkPosition,
  checkPositionBefore,
  checkRequestCursor,
  checkScope,
  type Page,
  type RuntimeEventStore,
  type StorageIdentity,
} from '@daybook/core'
import type { StoredRuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { decodeRow } from './decode-row.ts'
import { verifySession, verifyStore } from '../../verify/verify.ts'
import { memoryAuditSource } from '../audit-source.ts'
import { createGate } from '../gate.ts'
import { type MemoryLedger, type MemoryRow, rowsOf } from '../ledger.ts'
import { append, appendAnswers } from './append.ts'
import { listInvocations, pageInvocations } from './invocations.ts'
import { expiredRequests, findRequest, pageOpenRequests, requestsOf, settledRequests } from './requests.ts'

type PageQuery = Parameters<RuntimeEventStore['readRunRuntimeEvents']>[1]

export function memoryEventStore(ledger: MemoryLedger, storage: StorageIdentity): RuntimeEventStore {
  const gate = createGate()
  const audit = memoryAuditSource(ledger)
  return {
    storage,
    async append(request) {
      gate.check()
      return append(ledger, request)
    },
    async appendAnswers(request) {
      gate.check()
      return appendAnswers(ledger, request)
    },
    async readRunRuntimeEvents(runId, query) {
      gate.check()
      return pageOf(runRows(ledger, runId), 'eventSeq', query)
    },
    async readSessionRuntimeEventsPage(sessionId, query) {
      gate.check()
      return pageOf(rowsOf(ledger, sessionId), 'sessionSeq', query)
    },
    async readNewestSessionRuntimeEventsPage(sessionId, query = {}) {
      gate.check()
      const [before, limit] = [checkPositionBefore(query.before), checkPageLimit(query.limit)]
      const rest = rowsOf(ledger, sessionId).filter(({ sessionSeq }) => sessionSeq < before)
      const items = rest.slice(-limit).reverse().map(decodeRow)
      return { items, next: rest.length > limit ? items.at(-1)!.sessionSeq : null, floor: 1 }
    },
    async readSessionRuntimeEvents(sessionId) {
      gate.check()
      return rowsOf(ledger, sessionId).map(decodeRow)
    },
    async listSessionInvocations(sessionId) {
      gate.check()
      return listInvocations(ledger, sessionId)
    },
    async listSessionInvocationsPage(sessionId, query = {}) {
      gate.check()
      const limit = checkPageLimit(query.limit)
      return pageInvocations(ledger, sessionId, checkInvocationCursor(query.before), limit)
    },
    async readRequest(sessionId, requestId, scope) {
      gate.check()
      const { tenant } = checkScope(scope)
      const visible = ledger.sessions.get(sessionId)?.record?.tenant === tenant
      return visible ? structuredClone(findRequest(ledger, sessionId, requestId)) : undefined
    },
    async listOpenRequests(query) {
      gate.check()
      const [scope, limit] = [checkScope(query?.scope), checkPageLimit(query.limit)]
      return structuredClone(pageOpenRequests(ledger, scope, query.sessionId, checkRequestCursor(query.after), limit))
    },
    async listTurnRequests(sessionId, turnId) {
      gate.check()
      return structuredClone(requestsOf(ledger, sessionId).filter((request) => request.turnId === turnId))
    },
    async listSettledRequests(owner, awaited) {
      gate.check()
      return structuredClone(settledRequests(ledger, checkOwner(owner), awaited))
    },
    async listExpiredRequests({ after, limit } = {}) {
      gate.check()
      return structuredClone(expiredRequests(ledger, after, checkPageLimit(limit)))
    },
    async verifySession(sessionId) {
      gate.check()
      return verifySession(audit, sessionId)
    },
    async verifyStore() {
      gate.check()
      return verifyStore(audit)
    },
    close: gate.close,
  }
}

/** A run that only foreign rows tell of is known by its head. */
function runRows(ledger: MemoryLedger, runId: string): readonly MemoryRow[] {
  const run = ledger.runs.get(runId) ?? [...ledger.heads.values()].find((head) => head.runId === runId)
  return ledger.invocations.get(run?.invocationId ?? '')?.rows ?? []
}

function pageOf(
  rows: readonly MemoryRow[],
  position: 'eventSeq' | 'sessionSeq',
  query: PageQuery = {},
): Page<StoredRuntimeEvent, number> {
  const limit = checkPageLimit(query.limit)
  const after = checkPosition(query.after)
  const rest = rows.filter((row) => row[position] > after)
  const items = rest.slice(0, limit).map(decodeRow)
  return { items, next: rest.length > limit ? items.at(-1)![position] : null, floor: 1 }
}
