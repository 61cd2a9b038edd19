import { DaybookError, type InvocationCursor, type Page, type ReportBuilder } from '@daybook/core'
import type { InvocationRecord } from '@daybook/core/runtime-invocation'
import type { AuditSource } from './audit-source.ts'

/** What the index answers; undefined, and a problem, where what it is computed from is damaged. */
export function readIndex(
  source: AuditSource,
  sessionId: string,
  before: InvocationCursor | undefined,
  limit: number,
  report: ReportBuilder,
): Page<InvocationRecord, InvocationCursor> | undefined {
  try {
    return source.indexPage(sessionId, before, limit)
  } catch (error) {
    if (!DaybookError.is(error) || error.family !== 'damage') throw error
    report.problem({ code: 'index_differs', sessionId, message: `the index cannot answer: ${error.message}` })
    return undefined
  }
}
