import type { VerifyNote, VerifyProblem, VerifyReport } from '@daybook/core'
import { cleanLine } from './clean-text.ts'

/**
 * A verify report for a person: one line for each problem, one for each note, and the totals. `verified: index equals
 * rebuild` is among them only when there is no problem.
 */
export function describeReport(report: VerifyReport): string[] {
  const { sessions, invocations, events, problems, notes, omittedProblems, omittedNotes } = report
  const counts = `${plural(sessions, 'session')}, ${plural(invocations, 'invocation')}, ${plural(events, 'event')}`
  const found = `${plural(problems.length + omittedProblems, 'problem')}, ${plural(notes.length + omittedNotes, 'note')}`
  return [
    ...problems.map((one) => describe('problem', one)),
    ...(omittedProblems > 0 ? [`and ${plural(omittedProblems, 'more problem')}`] : []),
    ...notes.map((one) => describe('note', one)),
    ...(omittedNotes > 0 ? [`and ${plural(omittedNotes, 'more note')}`] : []),
    `${counts}: ${found}`,
    ...(report.ok ? ['verified: index equals rebuild'] : []),
  ]
}

function describe(
  what: string,
  { code, sessionId, invocationId, eventSeq, message }: VerifyProblem | VerifyNote,
): string {
  const place = [
    ...(sessionId === null ? [] : [`session ${sessionId}`]),
    ...(invocationId === undefined ? [] : [`invocation ${invocationId}`]),
    ...(eventSeq === undefined ? [] : [`seq ${eventSeq}`]),
  ]
  return cleanLine([`${what}: ${code}`, ...place, message].join(' · '))
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
