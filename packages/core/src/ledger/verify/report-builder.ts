import { maxVerifyItems, type VerifyNote, type VerifyProblem, type VerifyReport } from '../verify-report.ts'

/** Collects what checks find. */
export interface ReportBuilder {
  problem(problem: VerifyProblem): void
  note(note: VerifyNote): void
  count(what: 'sessions' | 'invocations' | 'events' | 'logs' | 'agentEvents'): void
  build(): VerifyReport
}

export function createReportBuilder(): ReportBuilder {
  const counts = { sessions: 0, invocations: 0, events: 0, logs: 0, agentEvents: 0 }
  const problems: VerifyProblem[] = []
  const notes: VerifyNote[] = []
  let omittedProblems = 0
  let omittedNotes = 0
  return {
    problem(problem) {
      if (problems.length < maxVerifyItems) problems.push(problem)
      else omittedProblems += 1
    },
    note(note) {
      if (notes.length < maxVerifyItems) notes.push(note)
      else omittedNotes += 1
    },
    count(what) {
      counts[what] += 1
    },
    build: () => ({ ok: problems.length === 0, ...counts, problems, notes, omittedProblems, omittedNotes }),
  }
}
