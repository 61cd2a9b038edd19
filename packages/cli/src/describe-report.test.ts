import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { VerifyReport } from '@daybook/core'
import { describeReport } from './describe-report.ts'

const clean: VerifyReport = {
  ok: true,
  sessions: 1,
  invocations: 2,
  events: 3,
  logs: 0,
  agentEvents: 0,
  problems: [],
  notes: [],
  omittedProblems: 0,
  omittedNotes: 0,
}

describe('describeReport', () => {
  test('says verified of a report without problems', () => {
    assert.deepEqual(describeReport(clean), [
      '1 session, 2 invocations, 3 events: 0 problems, 0 notes',
      'verified: index equals rebuild',
    ])
  })

  test('gives each problem and note a line with all that is known of its place, and counts the rest', () => {
    const report: VerifyReport = {
      ...clean,
      ok: false,
      logs: 1,
      agentEvents: 4,
      problems: [
        {
          code: 'payload_digest',
          sessionId: 's\u001b',
          invocationId: 'i',
          eventSeq: 4,
          message: 'is\nnot what was appended',
        },
        { code: 'storage_damaged', sessionId: null, message: 'page 3' },
        { code: 'log_differs', sessionId: 's', invocationId: 'i', runId: 'r', eventSeq: 3, logSeq: 5, message: 'no' },
      ],
      notes: [{ code: 'unfinished', sessionId: 's', invocationId: 'i', message: 'has no terminal event' }],
      omittedProblems: 5,
      omittedNotes: 1,
    }
    assert.deepEqual(describeReport(report), [
      'problem: payload_digest · session s · invocation i · seq 4 · is not what was appended',
      'problem: storage_damaged · page 3',
      'problem: log_differs · session s · invocation i · seq 3 · log of run r · row 5 · no',
      'and 5 more problems',
      'note: unfinished · session s · invocation i · has no terminal event',
      'and 1 more note',
      '1 session, 2 invocations, 3 events, 1 log of 4 rows: 8 problems, 2 notes',
    ])
  })
})
