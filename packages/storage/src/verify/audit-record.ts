import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { ReportBuilder, SessionRecord } from '@daybook/core'
import type { AuditReader, AuditSource, RevisionRow } from './audit-source.ts'

const pageRevisions = 100

/**
 * Checks the record of a session: its revisions are gapless and the last is what its row says, the listings have it as they
 * should, and what it branches off from is there.
 */
export async function auditRecord(source: AuditSource, sessionId: string, report: ReportBuilder): Promise<void> {
  let expected = 1
  const problem = (message: string) => report.problem({ code: 'revision_differs', sessionId, message })
  for (let last: RevisionRow | undefined; ; await setImmediate()) {
    const after: number = last?.revision ?? 0
    // The last ones are read together with what stands beside them: a change in between would make the two differ.
    const { rows, session, parent, isListed } = await source.read((reader) => readBeside(reader, sessionId, after))
    for (const row of rows) {
      if (row.revision !== expected) problem(`revision ${expected} is missing`)
      if (row.damage !== undefined) problem(row.damage)
      expected = row.revision + 1
    }
    last = rows.at(-1) ?? last
    if (rows.length === pageRevisions) continue
    if (session === undefined) return
    if (!isDeepStrictEqual(last?.session, session)) problem('the last revision is not what the session is')
    if (parent !== undefined) report.problem({ code: 'parent_missing', sessionId, message: parent })
    if (!isListed) {
      report.problem({ code: 'index_differs', sessionId, message: 'the listings do not have it as it is' })
    }
    return
  }
}

function readBeside(reader: AuditReader, sessionId: string, after: number) {
  const rows = reader.revisions(sessionId, after, pageRevisions)
  const session = reader.findSession(sessionId)?.record
  const parent = session && parentProblem(reader, session)
  return { rows, session, parent, isListed: session === undefined || reader.isListed(session) }
}

function parentProblem(reader: AuditReader, session: SessionRecord): string | undefined {
  const { tenant, parentSessionId, parentSessionSeq } = session
  if (parentSessionId === null) return undefined
  const parent = reader.findSession(parentSessionId)
  // A parent that cannot be read is told of by itself.
  if (parent?.damage !== undefined) return undefined
  if (parent === undefined || parent.record?.tenant !== tenant) {
    return `branches off from session "${parentSessionId}", which is not there`
  }
  const reached = parentSessionSeq === 0 || reader.placedRows(parentSessionId, parentSessionSeq! - 1, 1).length > 0
  return reached ? undefined : `branches off from session "${parentSessionId}" behind its last event`
}
