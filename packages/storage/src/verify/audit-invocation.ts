import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import {
  createInvocationAudit,
  FactsToTell,
  headDifferences,
  type InvocationFacts,
  type InvocationHead,
  type RawRow,
  type ReportBuilder,
  type RequestAudit,
  type RunRecord,
  runDifferences,
} from '@daybook/core'
import { sha256 } from '../sha256.ts'
import { auditLog, type LogAtHand, readLogAtHand } from './audit-log.ts'
import type { AuditReader, AuditSource } from './audit-source.ts'
import { type IndexAnswer, readIndex } from './read-index.ts'

/** A row may have a MiB. */
const pageRows = 100

/**
 * Checks the events of an invocation in one session, and against them its head, its run, what the index answers and the
 * delivery log of the run.
 */
export async function auditInvocation(
  source: AuditSource,
  sessionId: string,
  invocationId: string,
  report: ReportBuilder,
  requests: RequestAudit,
): Promise<InvocationFacts> {
  const audit = createInvocationAudit(sessionId, invocationId, sha256, report, requests)
  const told = new FactsToTell(sha256)
  let first: RawRow | undefined
  for (let after = 0; ; await setImmediate()) {
    // The last rows are read together with what stands beside them: an append in between would make the two differ.
    const { rows, beside, hasLog } = await source.read((reader) => {
      const page = reader.rawRows(sessionId, invocationId, after, pageRows)
      const opening = first ?? page[0]
      const last = page.length < pageRows && opening !== undefined
      return {
        rows: page,
        beside: last ? readBeside(reader, opening) : undefined,
        hasLog: !last && opening !== undefined && reader.findLog(opening.runId) !== undefined,
      }
    })
    for (const row of rows) {
      const event = audit.add(row)
      if (hasLog || beside?.log !== undefined) told.add(event, row)
    }
    first ??= rows[0]
    after = rows.at(-1)?.eventSeq ?? after
    if (rows.length === pageRows) continue
    const facts = audit.finish()
    if (beside !== undefined) {
      checkBeside(facts, beside, report)
      await checkLog(source, facts, told, beside, report)
    }
    return facts
  }
}

/** The log of a run that is missing is one of no run. */
async function checkLog(
  source: AuditSource,
  invocation: InvocationFacts,
  facts: FactsToTell,
  { run, log, tenant }: Beside,
  report: ReportBuilder,
): Promise<void> {
  if (run === undefined || log === undefined) return
  const { sessionId, invocationId, runId } = invocation
  await auditLog(source, log, { sessionId, invocationId, runId }, report, { invocation, facts, tenant })
}

interface Beside {
  readonly head: InvocationHead | undefined
  readonly run: RunRecord | undefined
  /** What the index answers for the invocation. */
  readonly index: IndexAnswer | undefined
  readonly log: LogAtHand | undefined
  /** Whose the session is; undefined where that cannot be read. */
  readonly tenant: string | null | undefined
}

/** Undefined where the session was removed meanwhile. */
function readBeside(reader: AuditReader, { sessionId, invocationId, runId, openedAt }: RawRow): Beside | undefined {
  if (reader.rawRows(sessionId, invocationId, 0, 1).length === 0) return undefined
  const head = reader.readHead(invocationId)
  const run = reader.readRun(runId)
  const log = readLogAtHand(reader, runId)
  const tenant = reader.findSession(sessionId)?.record?.tenant
  if (openedAt === null) return { head, run, index: undefined, log, tenant }
  // No id lies between an id and the same with NUL behind it, so the next one before that is the invocation itself.
  const index = readIndex(reader, sessionId, { openedAt, invocationId: `${invocationId}\0` }, 1)
  return { head, run, index, log, tenant }
}

function checkBeside(facts: InvocationFacts, { head, run, index }: Beside, report: ReportBuilder): void {
  const { sessionId, invocationId, record } = facts
  for (const message of headDifferences(facts, head)) {
    report.problem({ code: 'head_differs', sessionId, invocationId, message: `the head ${message}` })
  }
  for (const message of runDifferences(facts, head, run)) {
    report.problem({ code: 'run_differs', sessionId, invocationId, message: `the run ${message}` })
  }
  if (record === undefined || isDeepStrictEqual(index?.page?.items[0], record)) return
  const message = index?.damage ?? 'the index does not have it as it is rebuilt from its events'
  report.problem({ code: 'index_differs', sessionId, invocationId, message })
}
