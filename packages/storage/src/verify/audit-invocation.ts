import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import {
  createInvocationAudit,
  headDifferences,
  type InvocationFacts,
  type ReportBuilder,
  runDifferences,
} from '@daybook/core'
import { sha256 } from '../sha256.ts'
import type { AuditSource } from './audit-source.ts'
import { readIndex } from './read-index.ts'

/** A row may have a MiB. */
const pageRows = 100

/** Checks the events of an invocation in one session, and against them its head, its run and what the index answers. */
export async function auditInvocation(
  source: AuditSource,
  sessionId: string,
  invocationId: string,
  report: ReportBuilder,
): Promise<InvocationFacts> {
  const audit = createInvocationAudit(sessionId, invocationId, sha256, report)
  for (let after = 0; ; await setImmediate()) {
    // The last rows are read together with what stands beside them: an append in between would make the two differ.
    const facts = source.read(() => {
      const rows = source.rawRows(sessionId, invocationId, after, pageRows)
      for (const row of rows) audit.add(row)
      after = rows.at(-1)?.eventSeq ?? after
      if (rows.length === pageRows) return undefined
      const all = audit.finish()
      if (all.lastSeq > 0) checkBeside(source, all, report)
      return all
    })
    if (facts !== undefined) return facts
  }
}

function checkBeside(source: AuditSource, facts: InvocationFacts, report: ReportBuilder): void {
  const { sessionId, invocationId, record } = facts
  const head = source.readHead(invocationId)
  const run = source.readRun(facts.runId)
  if (head === undefined && run === undefined && source.rawRows(sessionId, invocationId, 0, 1).length === 0) {
    // The session was removed meanwhile.
    return
  }
  for (const message of headDifferences(facts, head)) {
    report.problem({ code: 'head_differs', sessionId, invocationId, message: `the head ${message}` })
  }
  for (const message of runDifferences(facts, head, run)) {
    report.problem({ code: 'run_differs', sessionId, invocationId, message: `the run ${message}` })
  }
  if (record === undefined) return
  // The next cursor after the invocation itself: no id comes between an id and the same with NUL behind it.
  const justAfter = { openedAt: record.openedAt, invocationId: `${invocationId}\0` }
  const page = readIndex(source, sessionId, justAfter, 1, report)
  if (page !== undefined && !isDeepStrictEqual(page.items[0], record)) {
    const message = 'is not in the index as it is rebuilt from its events'
    report.problem({ code: 'index_differs', sessionId, invocationId, message })
  }
}
