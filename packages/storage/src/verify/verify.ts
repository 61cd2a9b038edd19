import {
  createReportBuilder,
  DaybookError,
  maxVerifyItems,
  type ReportBuilder,
  SessionNotFoundError,
  type VerifyReport,
} from '@daybook/core'
import { auditSession } from './audit-session.ts'
import type { AuditSource } from './audit-source.ts'

/** Throws `SessionNotFoundError` where nothing is stored of the session. */
export async function verifySession(source: AuditSource, sessionId: string): Promise<VerifyReport> {
  const report = createReportBuilder()
  await reportDamage(report, sessionId, async () => {
    const found = await auditSession(source, sessionId, report)
    if (!auditEventless(source, sessionId, report) && !found) throw new SessionNotFoundError(sessionId)
  })
  return report.build()
}

export async function verifyStore(source: AuditSource): Promise<VerifyReport> {
  const report = createReportBuilder()
  await reportDamage(report, null, async () => {
    for (const message of source.integrity()) report.problem({ code: 'storage_damaged', sessionId: null, message })
    auditEventless(source, null, report)
    for (const sessionId of source.sessionIds()) {
      await reportDamage(report, sessionId, () => auditSession(source, sessionId, report))
    }
  })
  return report.build()
}

/** Whether there is a head or a run without any event, of this session or of all. */
function auditEventless(source: AuditSource, sessionId: string | null, report: ReportBuilder): boolean {
  const eventless = source.withoutEvents(sessionId, maxVerifyItems)
  for (const ids of eventless) {
    report.problem({ code: 'head_differs', ...ids, message: 'has a head or a run and no event' })
  }
  return eventless.length > 0
}

/** What cannot be read is a finding and ends the check of its session alone; a storage that cannot answer now is an error. */
async function reportDamage(
  report: ReportBuilder,
  sessionId: string | null,
  check: () => Promise<unknown>,
): Promise<void> {
  try {
    await check()
  } catch (error) {
    if (DaybookError.is(error) && error.family !== 'damage') throw error
    report.problem({ code: 'storage_damaged', sessionId, message: `cannot be read: ${(error as Error).message}` })
  }
}
