import { setImmediate } from 'node:timers/promises'
import {
  createLogRowsAudit,
  type FactsToTell,
  type InvocationFacts,
  logReport,
  LogRunAudit,
  type ReportBuilder,
} from '@daybook/core'
import type { AuditReader, AuditSource, FoundLog, LogRowsPage } from './audit-source.ts'

/** Whose log it is. */
export interface LogPlace {
  readonly sessionId: string | null
  readonly invocationId?: string
  readonly runId: string
}

/** What the ledger holds of the run. */
export interface LedgerOfLog {
  readonly invocation: InvocationFacts
  readonly facts: FactsToTell
  /** Whose the session is; undefined where that cannot be read. */
  readonly tenant: string | null | undefined
}

/** A log with its first rows, as both stand at one time. */
export interface LogAtHand {
  readonly log: FoundLog
  readonly page: LogRowsPage
}

/** Undefined where the run has no log. */
export function readLogAtHand(reader: AuditReader, runId: string): LogAtHand | undefined {
  const log = reader.findLog(runId)
  return log && { log, page: reader.logRows(runId, -Infinity) }
}

/**
 * Checks the rows of a log as it stood when it was read first, by pages, and holds them against the ledger as it stood
 * then. What is appended meanwhile is not looked at; a log that is removed or trimmed meanwhile is left.
 */
export async function auditLog(
  source: AuditSource,
  { log: { state, damage }, page: firstPage }: LogAtHand,
  place: LogPlace,
  reportBuilder: ReportBuilder,
  ledger?: LedgerOfLog,
): Promise<void> {
  const report = logReport(reportBuilder, place)
  reportBuilder.count('logs')
  if (state === undefined) return report.problem('log_unreadable', damage)
  const rowsAudit = createLogRowsAudit(state, report)
  const runAudit = ledger && new LogRunAudit(state, ledger.invocation, ledger.facts, ledger.tenant, report)
  for (let [page, lastSeq, after] = [firstPage, state.lastSeq, -Infinity]; ;) {
    let { hasMore } = page
    for (const row of page.rows) {
      after = row.seq
      const isBehind = !(after <= state.lastSeq)
      if (isBehind) hasMore = false
      if (isBehind && after <= lastSeq) break
      reportBuilder.count('agentEvents')
      const event = rowsAudit.add(row)
      if (isBehind) break
      runAudit?.add(after, event, row.writeId, rowsAudit.isWhole)
    }
    if (!hasMore) break
    await setImmediate()
    const from = after
    const next = await source.read((reader) => ({
      log: reader.findLog(place.runId)?.state,
      page: reader.logRows(place.runId, from),
    }))
    if (next.log === undefined || next.log.floor !== state.floor || next.log.lastSeq < state.lastSeq) return
    page = next.page
    lastSeq = next.log.lastSeq
  }
  rowsAudit.finish()
  runAudit?.finish(rowsAudit.isWhole)
}
