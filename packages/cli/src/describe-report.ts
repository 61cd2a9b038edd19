import type { VerifyProblem, VerifyReport } from '@daybook/core'
import { cleanLine } from './clean-text.ts'

/**
 * A verify report for a person: one line for each problem, one for each note, and the totals. `verified: index equals
 * rebuild` is among them only when there is no problem, and what is said of delivery logs only where there are any.
 */
export function describeReport(report: VerifyReport): string[] {
  const { sessions, invocations, events, logs, agentEvents, problems, notes, omittedProblems, omittedNotes } = report
  const ofLedger = `${plural(sessions, 'session')}, ${plural(invocations, 'invocation')}, ${plural(events, 'event')}`
  const counts = logs === 0 ? ofLedger : `${ofLedger}, ${plural(logs, 'log')} of ${plural(agentEvents, 'row')}`
  const found = `${plural(problems.length + omittedProblems, 'problem')}, ${plural(notes.length + omittedNotes, 'note')}`
  return [
    ...problems.map((one) => describe('problem', one)),
    ...(omittedProblems > 0 ? [`and ${plural(omittedProblems, 'more problem')}`] : []),
    ...notes.map((one) => describe('note', one)),
    ...(omittedNotes > 0 ? [`and ${plural(omittedNotes, 'more note')}`] : []),
    `${counts}: ${found}`,
    ...(report.ok ? ['verified: index equals rebuild'] : []),
    ...(report.ok && logs > 0 ? ['verified: logs agree with the ledger'] : []),
  ]
}

function describe(
  what: string,
  { code, sessionId, invocationId, runId, eventSeq, logSeq, message }: Omit<VerifyProblem, 'code'> & { code: string },
): string {
  const place = [
    ...(sessionId === null ? [] : [`session ${sessionId}`]),
    ...(invocationId === undefined ? [] : [`invocation ${invocationId}`]),
    ...(eventSeq === undefined ? [] : [`seq ${eventSeq}`]),
    ...(runId === undefined ? [] : [`log of run ${runId}`]),
    ...(logSeq === undefined ? [] : [`row ${logSeq}`]),
  ]
  return cleanLine([`${what}: ${code}`, ...place, message].join(' · '))
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
