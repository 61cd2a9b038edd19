import { setImmediate } from 'node:timers/promises'
import { createOrderAudit, createRequestAudit, type ReportBuilder } from '@daybook/core'
import { auditIndex } from './audit-index.ts'
import { auditInvocation } from './audit-invocation.ts'
import { auditRequests } from './audit-requests.ts'
import { auditOpening } from './audit-opening.ts'
import { auditRecord } from './audit-record.ts'
import { sha256 } from '../sha256.ts'
import type { AuditSource } from './audit-source.ts'

const pageRows = 1000

/**
 * Checks a session page by page, so that it holds up no one and needs no more memory than a page of rows and a few words
 * for each invocation and each request. What is appended meanwhile may or may not be seen; it is not taken for a fault.
 * False where the session neither exists nor has an event or a request.
 */
export async function auditSession(source: AuditSource, sessionId: string, report: ReportBuilder): Promise<boolean> {
  const order = createOrderAudit(sessionId, report)
  let sessionSeq = 0
  for (let after: number | undefined = 0; after !== undefined; await setImmediate()) {
    const from: number = after
    const rows = await source.read((reader) => reader.placedRows(sessionId, from, pageRows))
    for (const row of rows) order.add(row)
    sessionSeq = rows.at(-1)?.sessionSeq ?? sessionSeq
    after = rows.length === pageRows ? rows.at(-1)?.sessionSeq : undefined
  }
  const requests = createRequestAudit(sessionId, sha256, report)
  /** Whether the events of an invocation open it. */
  const opened = new Map<string, boolean>()
  let appended = false
  for (const invocationId of order.invocationIds()) {
    const facts = await auditInvocation(source, sessionId, invocationId, report, requests)
    opened.set(invocationId, facts.record !== undefined)
    await auditOpening(source, facts, report)
    appended ||= facts.ledgerDigestSeq > 0
  }
  const { session, empty } = await source.read((reader) => ({
    session: reader.findSession(sessionId),
    empty: reader.placedRows(sessionId, 0, 1).length === 0,
  }))
  const asked = await auditRequests(source, sessionId, sessionSeq, requests)
  if (session === undefined && empty) return asked
  report.count('sessions')
  if (session === undefined && appended) {
    report.problem({ code: 'session_missing', sessionId, message: 'has appended events and no session' })
  }
  if (session?.damage !== undefined) report.problem({ code: 'unreadable', sessionId, message: session.damage })
  await auditRecord(source, sessionId, report)
  await auditIndex(source, sessionId, opened, report, requests)
  return true
}
