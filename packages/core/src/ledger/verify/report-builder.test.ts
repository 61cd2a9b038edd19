import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxVerifyItems } from '../verify-report.ts'
import { createReportBuilder } from './report-builder.ts'

test('a report without problems is ok, whatever it notes', () => {
  const report = createReportBuilder()
  report.note({ code: 'unfinished', sessionId: 's', message: 'has not ended' })
  report.count('sessions')
  assert.deepEqual(report.build(), {
    ok: true,
    sessions: 1,
    invocations: 0,
    events: 0,
    logs: 0,
    agentEvents: 0,
    problems: [],
    notes: [{ code: 'unfinished', sessionId: 's', message: 'has not ended' }],
    omittedProblems: 0,
    omittedNotes: 0,
  })
})

test('a report lists a bounded number of problems and notes, and counts the rest', () => {
  const report = createReportBuilder()
  for (let index = 0; index < maxVerifyItems + 5; index += 1) {
    report.problem({ code: 'seq_gap', sessionId: null, message: String(index) })
    if (index > 1) report.note({ code: 'foreign_row', sessionId: 's', message: String(index) })
  }
  const { ok, problems, notes, omittedProblems, omittedNotes } = report.build()
  assert.deepEqual([ok, omittedProblems, omittedNotes], [false, 5, 3])
  assert.deepEqual([problems.length, notes.length, problems[0]?.message], [maxVerifyItems, maxVerifyItems, '0'])
})
