import { setImmediate } from 'node:timers/promises'
import type { InvocationCursor, ReportBuilder, RequestAudit } from '@daybook/core'
import { compareInvocations } from '@daybook/core/runtime-invocation'
import { auditInvocation } from './audit-invocation.ts'
import type { AuditSource } from './audit-source.ts'
import { readIndex } from './read-index.ts'

const pageItems = 100

/**
 * Checks that the index lists every invocation that its events open, no other, once and in order. What each of them is,
 * `auditInvocation` has checked; one that was opened since then is checked now.
 */
export async function auditIndex(
  source: AuditSource,
  sessionId: string,
  opened: ReadonlyMap<string, boolean>,
  report: ReportBuilder,
  requests: RequestAudit,
): Promise<void> {
  const problem = (message: string, invocationId?: string) =>
    report.problem({ code: 'index_differs', sessionId, ...(invocationId !== undefined && { invocationId }), message })
  const missing = new Set([...opened].flatMap(([invocationId, opens]) => (opens ? [invocationId] : [])))
  let before: InvocationCursor | undefined
  for (let more = true; more; await setImmediate()) {
    const from = before
    const { page, damage } = await source.read((reader) => readIndex(reader, sessionId, from, pageItems))
    if (page === undefined) return problem(damage)
    for (const { openedAt, invocationId } of page.items) {
      const cursor = { openedAt, invocationId }
      if (before !== undefined && compareInvocations(cursor, before) >= 0) {
        return problem(`is listed behind "${before.invocationId}", which is older`, invocationId)
      }
      before = cursor
      missing.delete(invocationId)
      const isOpened =
        opened.get(invocationId) ?? (await auditInvocation(source, sessionId, invocationId, report, requests)).record
      if (!isOpened) problem('is listed, and its events do not open it', invocationId)
    }
    more = page.next !== null
  }
  const removed = missing.size > 0 && (await source.read((reader) => reader.placedRows(sessionId, 0, 1))).length === 0
  if (!removed) for (const invocationId of missing) problem('is not listed', invocationId)
}
