import { setImmediate } from 'node:timers/promises'
import type { IndexedRequest, RawRow, RequestAudit } from '@daybook/core'
import type { AuditSource } from './audit-source.ts'

/** A row may have a MiB. */
const pageRows = 100
const pageRequests = 500

interface Part {
  readonly rows: readonly RawRow[]
  /** Undefined where more rows come first. */
  readonly indexed: readonly IndexedRequest[] | undefined
  readonly removed: boolean
}

/**
 * Holds the index of requests against the events of a session, of which `requests` has those up to `sessionSeq`. What was
 * appended since then is read together with the part of the index that it may have changed.
 * False where the index has nothing of the session.
 */
export async function auditRequests(
  source: AuditSource,
  sessionId: string,
  sessionSeq: number,
  requests: RequestAudit,
): Promise<boolean> {
  let after: string | null = null
  for (let added = sessionSeq; ; await setImmediate()) {
    const fromId: string | null = after
    const fromSeq: number = added
    const { rows, indexed, removed }: Part = await source.read((reader) => {
      const tail = reader.sessionRows(sessionId, fromSeq, pageRows)
      const page: readonly IndexedRequest[] | undefined =
        tail.length < pageRows ? reader.requests(sessionId, fromId, pageRequests) : undefined
      return { rows: tail, indexed: page, removed: reader.placedRows(sessionId, 0, 1).length === 0 }
    })
    for (const row of rows) requests.addRow(row)
    added = rows.at(-1)?.sessionSeq ?? added
    if (indexed === undefined) continue
    requests.compare(indexed)
    after = indexed.at(-1)?.requestId ?? after
    if (indexed.length === pageRequests) continue
    if (!removed) requests.finish(sessionSeq)
    return after !== null
  }
}
