import { compareCodePoints, type RawRow } from '@daybook/core'
import { sha256 } from '../sha256.ts'
import type { AuditReader, AuditSource } from '../verify/audit-source.ts'
import { pageInvocations } from './events/invocations.ts'
import { type MemoryLedger, type MemoryRow, rowsOf } from './ledger.ts'

const pageRows = 1000

export function memoryAuditSource(ledger: MemoryLedger): AuditSource {
  const reader = memoryAuditReader(ledger)
  return { read: async (reads) => reads(reader) }
}

function memoryAuditReader(ledger: MemoryLedger): AuditReader {
  return {
    integrity: () => [],
    nextSessionId(after) {
      let next: string | undefined
      for (const id of ledger.sessions.keys()) {
        const follows = after === null || compareCodePoints(id, after) > 0
        if (follows && (next === undefined || compareCodePoints(id, next) < 0)) next = id
      }
      return next
    },
    findSession(sessionId) {
      const record = ledger.sessions.get(sessionId)?.record
      return record && { record }
    },
    revisions: (sessionId, after, limit) =>
      (ledger.sessions.get(sessionId)?.revisions ?? []).filter(({ revision }) => revision > after).slice(0, limit),
    isListed: () => true,
    placedRows: (sessionId, after, limit) =>
      rowsOf(ledger, sessionId)
        .filter((row) => row.sessionSeq > after)
        .slice(0, limit),
    rawRows: (sessionId, invocationId, after, limit) =>
      (ledger.invocations.get(invocationId)?.rows ?? [])
        .filter((row) => row.sessionId === sessionId && row.eventSeq > after)
        .slice(0, limit)
        .map(rawRowOf),
    sessionRows: (sessionId, after, limit) =>
      rowsOf(ledger, sessionId)
        .filter((row) => row.sessionSeq > after)
        .slice(0, limit)
        .map(rawRowOf),
    requests: (sessionId, after, limit) =>
      [...(ledger.sessions.get(sessionId)?.requests ?? [])]
        .filter(([requestId]) => after === null || compareCodePoints(requestId, after) > 0)
        .sort(([a], [b]) => compareCodePoints(a, b))
        .slice(0, limit)
        .map(([requestId, record]) => ({ requestId, record, damage: undefined })),
    readHead: (invocationId) => ledger.heads.get(invocationId),
    readRun: (runId) => ledger.runs.get(runId),
    withoutEvents(what, sessionId) {
      const items = [...ledger[what].values()]
        .filter((ids) => sessionId === null || ids.sessionId === sessionId)
        .filter((ids) => !ledger.invocations.get(ids.invocationId)?.rows.some((row) => row.sessionId === ids.sessionId))
        .map((ids) => ({ sessionId: ids.sessionId, invocationId: ids.invocationId }))
      return { items, next: null }
    },
    findLog(runId) {
      const log = ledger.agentEvents.runs.get(runId)
      if (log === undefined) return undefined
      const { header, lastSeq, bytes, floor, truncated } = log
      return { state: { header, lastSeq, bytes, floor, truncated } }
    },
    logRows(runId, after) {
      const rows = (ledger.agentEvents.runs.get(runId)?.rows ?? []).filter(({ seq }) => seq > after)
      const page = rows.slice(0, pageRows).map((row) => ({ ...row, bytes: Buffer.byteLength(row.json) }))
      return { rows: page, hasMore: rows.length > pageRows }
    },
    logsWithoutRun: () => ({
      runIds: [...ledger.agentEvents.runs.keys()].filter((runId) => !ledger.runs.has(runId)),
      next: null,
    }),
    indexPage: (sessionId, before, limit) => pageInvocations(ledger, sessionId, before, limit),
  }
}

function rawRowOf(row: MemoryRow): RawRow {
  return { ...row, bytesDigest: sha256(row.payload) }
}
