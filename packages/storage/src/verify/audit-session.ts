import { setImmediate } from 'node:timers/promises'
import { createOrderAudit, type ReportBuilder } from '@daybook/core'
import { auditIndex } from './audit-index.ts'
import { auditInvocation } from './audit-invocation.ts'
import type { AuditSource } from './audit-source.ts'

const pageRows = 1000

/**
 * Checks a session page by page, so that it holds up no one and needs no more memory than a page of rows and a few words
 * for each invocation. What is appended meanwhile may or may not be seen; it is not taken for a fault.
 * False where the session neither exists nor has an event.
 */
export async function auditSession(source: AuditSource, sessionId: string, report: ReportBuilder): Promise<boolean> {
  const order = createOrderAudit(sessionId, report)
  for (let after: number | undefined = 0; after !== undefined; await setImmediate()) {
    const from: number = after
    const rows = await source.read((reader) => reader.placedRows(sessionId, from, pageRows))
    for (const row of rows) order.add(row)
    after = rows.length === pageRows ? rows.at(-1)?.sessionSeq : undefined
  }
  /** Whether the events of an invocation open it. */
  const opened = new Map<string, boolean>()
  let appended = false
  for (const invocationId of order.invocationIds()) {
    const facts = await auditInvocation(source, sessionId, invocationId, report)
    opened.set(invocationId, facts.record !== undefined)
    appended ||= facts.ledgerDigestSeq > 0
  }
  const { session, empty } = await source.read((reader) => ({
    session: reader.findSession(sessionId),
    empty: reader.placedRows(sessionId, 0, 1).length === 0,
  }))
  if (session === undefined && empty) return false
  report.count('sessions')
  if (session === undefined && appended) {
    report.problem({ code: 'session_missing', sessionId, message: 'has appended events and no session' })
  }
  if (session?.damage !== undefined) report.problem({ code: 'unreadable', sessionId, message: session.damage })
  await auditIndex(source, sessionId, opened, report)
  return true
}
