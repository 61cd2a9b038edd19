import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { createInvocationAudit } from './audit-invocation.ts'
import { createRequestAudit } from './audit-requests.ts'
import { createReportBuilder } from './report-builder.ts'

const sha256 = (text: string): string => hash('sha256', text, 'hex')

function problemsOfErased(payload: string | null): string[] {
  const report = createReportBuilder()
  const requests = createRequestAudit('session', sha256, report)
  createInvocationAudit('session', 'invocation', sha256, report, requests).add({
    sessionId: 'session',
    invocationId: 'invocation',
    runId: 'run',
    turnId: 'turn',
    eventId: 'event',
    eventSeq: 1,
    sessionSeq: 1,
    eventKind: 'text',
    openedAt: null,
    terminal: false,
    committedAt: 1,
    payload,
    payloadDigest: sha256('what was appended'),
    bytesDigest: sha256(payload ?? ''),
    erasedAt: 7,
  })
  return report.build().problems.map((problem) => `${problem.code}: ${problem.message}`)
}

test('a tombstone holds nothing: a row that only says that it was erased would hide any change of it', () => {
  assert.deepEqual(problemsOfErased(''), [])
  for (const payload of ['what was appended', 'another text', null]) {
    assert.deepEqual(problemsOfErased(payload), ['payload_digest: was erased and holds a payload'])
  }
})
