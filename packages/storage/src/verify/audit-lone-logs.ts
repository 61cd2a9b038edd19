import { setImmediate } from 'node:timers/promises'
import { logReport, type ReportBuilder } from '@daybook/core'
import { auditLog, readLogAtHand } from './audit-log.ts'
import type { AuditSource, LogsPage } from './audit-source.ts'

/** Checks the logs whose runs are not in the storage: somebody keeps logs alone. */
export async function auditLoneLogs(source: AuditSource, report: ReportBuilder): Promise<void> {
  for (let after: string | null = null, hasMore = true; hasMore; await setImmediate()) {
    const from: string | null = after
    const page: LogsPage = await source.read((reader) => reader.logsWithoutRun(from))
    for (const runId of page.runIds) {
      const log = await source.read((reader) => (reader.readRun(runId) ? undefined : readLogAtHand(reader, runId)))
      if (log === undefined) continue
      const place = { sessionId: null, runId }
      logReport(report, place).note('log_without_run', 'is the log of no run here')
      await auditLog(source, log, place, report)
    }
    after = page.next
    hasMore = after !== null
  }
}
