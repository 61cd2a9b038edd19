import { setImmediate } from 'node:timers/promises'
import type { InvocationCursor, ReportBuilder } from '@daybook/core'
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
): Promise<void> {
  const problem = (invocationId: string, message: string) =>
    report.problem({ code: 'index_differs', sessionId, invocationId, message })
  const missing = new Set([...opened].flatMap(([invocationId, opens]) => (opens ? [invocationId] : [])))
  let before: InvocationCursor | undefined
  for (;;) {
    const page = readIndex(source, sessionId, before, pageItems, report)
    if (page === undefined) return
    for (const { openedAt, invocationId } of page.items) {
      const cursor = { openedAt, invocationId }
      if (before !== undefined && compareInvocations(cursor, before) >= 0) {
        return problem(invocationId, `is listed after "${before.invocationId}", which is older`)
      }
      before = cursor
      missing.delete(invocationId)
      const opens =
        opened.get(invocationId) ??
        (await auditInvocation(source, sessionId, invocationId, report)).record !== undefined
      if (!opens) problem(invocationId, 'is listed and not opened by its events')
    }
    if (page.next === null) break
    await setImmediate()
  }
  for (const invocationId of missing) problem(invocationId, 'is not listed')
}
