import { setImmediate } from 'node:timers/promises'
import {
  createReportBuilder,
  DaybookError,
  type ReportBuilder,
  SessionNotFoundError,
  type VerifyReport,
} from '@daybook/core'
import { auditLoneLogs } from './audit-lone-logs.ts'
import { auditSession } from './audit-session.ts'
import type { AuditSource, EventlessPage } from './audit-source.ts'

/** Throws `SessionNotFoundError` where nothing is stored of the session. */
export async function verifySession(source: AuditSource, sessionId: string): Promise<VerifyReport> {
  const report = createReportBuilder()
  await reportDamage(report, sessionId, async () => {
    const found = await auditSession(source, sessionId, report)
    if (!(await auditEventless(source, sessionId, report)) && !found) throw new SessionNotFoundError(sessionId)
  })
  return report.build()
}

/** A session that cannot be read keeps no other from being checked. */
export async function verifyStore(source: AuditSource): Promise<VerifyReport> {
  const report = createReportBuilder()
  await reportDamage(report, null, async () => {
    for (const problem of await source.read((reader) => reader.integrity()))
      report.problem({ ...problem, sessionId: null })
  })
  await reportDamage(report, null, () => auditEventless(source, null, report))
  await reportDamage(report, null, async () => {
    for await (const sessionId of sessionIds(source)) {
      await reportDamage(report, sessionId, () => auditSession(source, sessionId, report))
    }
  })
  await reportDamage(report, null, () => auditLoneLogs(source, report))
  return report.build()
}

async function* sessionIds(source: AuditSource): AsyncGenerator<string> {
  for (let after: string | null = null; ;) {
    const from: string | null = after
    const sessionId: string | undefined = await source.read((reader) => reader.nextSessionId(from))
    if (sessionId === undefined) return
    yield sessionId
    after = sessionId
  }
}

/** Whether there is a head or a run without any event, of this session or of all. */
async function auditEventless(source: AuditSource, sessionId: string | null, report: ReportBuilder): Promise<boolean> {
  const found = new Set<string>()
  for (const what of ['heads', 'runs'] as const) {
    let after: string | null = null
    do {
      const from: string | null = after
      const page: EventlessPage = await source.read((reader) => reader.withoutEvents(what, sessionId, from))
      for (const ids of page.items) {
        const key = `${ids.sessionId}\0${ids.invocationId}`
        if (!found.has(key))
          report.problem({ code: 'head_differs', ...ids, message: 'has a head or a run and no event' })
        found.add(key)
      }
      after = page.next
      await setImmediate()
    } while (after !== null)
  }
  return found.size > 0
}

/** What cannot be read is a finding; that a storage cannot answer now is an error. */
async function reportDamage(
  report: ReportBuilder,
  sessionId: string | null,
  check: () => Promise<unknown>,
): Promise<void> {
  try {
    await check()
  } catch (error) {
    if (!DaybookError.is(error) || error.family !== 'damage') throw error
    report.problem({ code: 'storage_damaged', sessionId, message: `cannot be read: ${error.message}` })
  }
}
