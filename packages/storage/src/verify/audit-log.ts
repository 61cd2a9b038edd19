import { setImmediate } from 'node:timers/promises'
import {
  createLogRowsAudit,
  type FactsToTell,
  type InvocationFacts,
  logReport,
  LogRunAudit,
  type ReportBuilder,
} from '@daybook/core'
import type { AuditSource, FoundLog } from './audit-source.ts'

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
}

/**
 * Checks the rows of a log as it stood when `found` was read, by pages, and holds them against the ledger as it stood then.
 * What is appended meanwhile is not looked at; a log that is removed or trimmed meanwhile is left.
 */
export async function auditLog(
  source: AuditSource,
  { state, damage }: FoundLog,
  place: LogPlace,
  reportBuilder: ReportBuilder,
  ledger?: LedgerOfLog,
): Promise<void> {
  const report = logReport(reportBuilder, place)
  reportBuilder.count('logs')
  if (state === undefined) return report.problem('log_unreadable', damage)
  const rowsAudit = createLogRowsAudit(state, report)
  const runAudit = ledger && new LogRunAudit(state, ledger.invocation, ledger.facts, report)
  let after = -Infinity
  for (let hasMore = true; hasMore; await setImmediate()) {
    const from = after
    const { log, page } = await source.read((reader) => ({
      log: reader.findLog(place.runId)?.state,
      page: reader.logRows(place.runId, from),
    }))
    if (log === undefined || log.floor !== state.floor || log.lastSeq < state.lastSeq) return
    hasMore = page.hasMore
    for (const row of page.rows) {
      after = row.seq
      const isBehind = !(after <= state.lastSeq)
      if (isBehind) hasMore = false
      if (isBehind && after <= log.lastSeq) break
      reportBuilder.count('agentEvents')
      const event = rowsAudit.add(row)
      if (isBehind) break
      runAudit?.add(after, event, row.writeId, rowsAudit.isWhole)
    }
  }
  rowsAudit.finish()
  runAudit?.finish(rowsAudit.isWhole)
}
