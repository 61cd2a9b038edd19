import type { ReportBuilder } from '../../ledger/verify/report-builder.ts'
import type { VerifyNote, VerifyProblem } from '../../ledger/verify-report.ts'

/** The codes of what is found of a delivery log begin with this. */
type OfLog<Code extends string> = Extract<Code, `log_${string}`>

/** Where in the log, and in the ledger, something is. */
export interface LogPosition {
  readonly logSeq?: number
  readonly eventSeq?: number
}

/** Collects what checks find of one delivery log. */
export interface LogReport {
  problem(code: OfLog<VerifyProblem['code']>, message: string, position?: LogPosition): void
  note(code: OfLog<VerifyNote['code']>, message: string): void
}

/** `log` says whose the log is. */
export function logReport(
  report: ReportBuilder,
  log: { readonly sessionId: string | null; readonly invocationId?: string; readonly runId: string },
): LogReport {
  return {
    problem: (code, message, position) => report.problem({ code, ...log, ...position, message }),
    note: (code, message) => report.note({ code, ...log, message }),
  }
}
