import { type InvocationFacts, openingDifferences, type ReportBuilder } from '@daybook/core'
import type { AuditSource } from './audit-source.ts'

/** Checks that an invocation was opened with what the revision says that it names. Foreign openings and sub-agents name none. */
export async function auditOpening(
  source: AuditSource,
  { sessionId, invocationId, record, ledgerDigestSeq }: InvocationFacts,
  report: ReportBuilder,
): Promise<void> {
  if (record === undefined || ledgerDigestSeq === 0 || record.opening.lineage !== undefined) return
  const { revision } = record.opening.configuration
  const [row] = await source.read((reader) => reader.revisions(sessionId, revision - 1, 1))
  if (row?.revision !== revision || row.session === undefined) return
  for (const difference of openingDifferences(record.opening, row.session)) {
    report.problem({ code: 'opening_differs', sessionId, invocationId, eventSeq: 1, message: difference })
  }
}
