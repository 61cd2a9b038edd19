import {
  compareCodePoints,
  isAnswerable,
  type Page,
  type RequestCursor,
  type RequestRecord,
  type RunOwner,
  type SessionScope,
} from '@daybook/core'
import { type MemoryLedger, unfinishedRuns, unfinishedRunsOf } from '../ledger.ts'

export function findRequest(ledger: MemoryLedger, sessionId: string, requestId: string): RequestRecord | undefined {
  return ledger.sessions.get(sessionId)?.requests.get(requestId)
}

export function requestsOf(ledger: MemoryLedger, sessionId: string): RequestRecord[] {
  return [...(ledger.sessions.get(sessionId)?.requests.values() ?? [])]
}

export function pageOpenRequests(
  ledger: MemoryLedger,
  { tenant }: SessionScope,
  sessionId: string | undefined,
  after: RequestCursor | undefined,
  limit: number,
): Page<RequestRecord, RequestCursor> {
  const now = ledger.now()
  const one = sessionId === undefined ? undefined : ledger.sessions.get(sessionId)
  const sessions = sessionId === undefined ? [...ledger.sessions.values()] : one === undefined ? [] : [one]
  const open = sessions
    .filter(({ record }) => record?.tenant === tenant)
    .flatMap(({ requests }) => [...requests.values()].filter((request) => isAnswerable(request, now)))
    .sort(compareRequests)
    .filter((request) => after === undefined || compareRequests(request, after) > 0)
  const items = open.slice(0, limit)
  const last = items.at(-1)
  return { items, next: open.length > limit && last !== undefined ? cursorOf(last) : null, floor: 1 }
}

export function settledRequests(
  ledger: MemoryLedger,
  owner: RunOwner,
  awaited: readonly Pick<RequestRecord, 'sessionId' | 'requestId'>[],
): RequestRecord[] {
  const now = ledger.now()
  const runIds = new Set(unfinishedRunsOf(ledger, owner).map(({ runId }) => runId))
  return awaited.flatMap(({ sessionId, requestId }) => {
    const request = findRequest(ledger, sessionId, requestId)
    return request !== undefined && runIds.has(request.runId) && !isAnswerable(request, now) ? [request] : []
  })
}

type Expiry = Pick<RequestRecord, 'expiresAt' | 'sessionId' | 'requestId'>

export function expiredRequests(ledger: MemoryLedger, after: Expiry | undefined, limit: number): RequestRecord[] {
  const now = ledger.now()
  const driven = new Set(unfinishedRuns(ledger).map((run) => turnKey(run.sessionId, run.turnId)))
  return [...ledger.sessions.keys()]
    .flatMap((sessionId) => requestsOf(ledger, sessionId))
    .filter((request) => request.state === 'open' && !isAnswerable(request, now))
    .filter(({ sessionId, turnId }) => !driven.has(turnKey(sessionId, turnId)))
    .filter((request) => after === undefined || compareExpiries(request, after) > 0)
    .sort(compareExpiries)
    .slice(0, limit)
}

function turnKey(sessionId: string, turnId: string): string {
  return JSON.stringify([sessionId, turnId])
}

function compareRequests(a: RequestCursor, b: RequestCursor): number {
  return a.requestedAt - b.requestedAt || compareIds(a, b)
}

function compareExpiries(a: Expiry, b: Expiry): number {
  return a.expiresAt! - b.expiresAt! || compareIds(a, b)
}

function compareIds(a: Omit<RequestCursor, 'requestedAt'>, b: Omit<RequestCursor, 'requestedAt'>): number {
  return compareCodePoints(a.sessionId, b.sessionId) || compareCodePoints(a.requestId, b.requestId)
}

function cursorOf({ requestedAt, sessionId, requestId }: RequestRecord): RequestCursor {
  return { requestedAt, sessionId, requestId }
}
