import { encodeCanonicalJson } from '../../json/canonical-json.ts'
import { type RequestFact, requestFact, requestsFromFacts } from '../../request/rebuild.ts'
import type { RequestRecord } from '../../request/request-record.ts'
import type { RuntimeEvent } from '../../runtime-event/runtime-event.ts'
import type { Sha256 } from '../sha256.ts'
import type { RawRow } from './raw-row.ts'
import { readRow } from './read-row.ts'
import type { ReportBuilder } from './report-builder.ts'

/** What the index has under an id. */
export interface IndexedRequest {
  readonly requestId: string
  /** Undefined where it cannot answer, and then `damage` says why. */
  readonly record: RequestRecord | undefined
  readonly damage: string | undefined
}

/** Holds the index of requests of a session against its events, keeping nothing of what was shown. */
export interface RequestAudit {
  /** In any order; an event may come again. */
  add(event: RuntimeEvent, row: RawRow): void
  /** For a row that is read for the requests alone. */
  addRow(row: RawRow): void
  /** Checks a part of the index, once all events before it were added. */
  compare(indexed: readonly IndexedRequest[]): void
  /** After the last part. What was asked behind `sessionSeq` may have come behind the part where it belongs. */
  finish(sessionSeq: number): void
}

export function createRequestAudit(sessionId: string, sha256: Sha256, report: ReportBuilder): RequestAudit {
  const facts = new Map<string, RequestFact>()
  const askedAt = new Map<string, number>()
  const compared = new Set<string>()
  let rebuilt: ReadonlyMap<string, RequestRecord> | undefined

  function rebuild(): ReadonlyMap<string, RequestRecord> {
    rebuilt ??= new Map(requestsFromFacts([...facts.values()]).map((request) => [request.requestId, request]))
    return rebuilt
  }

  function problem(requestId: string, message: string): void {
    report.problem({ code: 'requests_differ', sessionId, message: `request "${requestId}" ${message}` })
  }

  function add(event: RuntimeEvent, row: RawRow): void {
    const { eventSeq, sessionSeq, committedAt, payloadDigest } = row
    if (sessionSeq === null) return
    const fact = requestFact({ event, eventSeq, sessionSeq, committedAt }, sha256, payloadDigest === null)
    if (fact === undefined) return
    const { change } = fact
    if (change?.type === 'asked') askedAt.set(change.request.requestId, sessionSeq)
    facts.set(
      JSON.stringify([eventSeq, event.invocationId]),
      change?.type === 'asked' ? { ...fact, change: { ...change, request: withoutPayload(change.request) } } : fact,
    )
    rebuilt = undefined
  }

  return {
    add,
    addRow(row) {
      const event = row.erasedAt === null ? readRow(row, () => {}) : undefined
      if (event !== undefined) add(event, row)
    },
    compare(indexed) {
      for (const { requestId, record, damage } of indexed) {
        compared.add(requestId)
        const asked = rebuild().get(requestId)
        if (damage !== undefined) problem(requestId, `cannot be told by the index: ${damage}`)
        else if (asked === undefined) problem(requestId, 'is in the index, and no event asks it')
        else if (record === undefined || encodeCanonicalJson(withoutPayload(record)) !== encodeCanonicalJson(asked)) {
          problem(requestId, 'is in the index otherwise than it is rebuilt from the events')
        }
      }
    },
    finish(sessionSeq) {
      for (const requestId of rebuild().keys()) {
        if (!compared.has(requestId) && askedAt.get(requestId)! <= sessionSeq) problem(requestId, 'is not in the index')
      }
    },
  }
}

/** Its digest vouches for what was shown. */
function withoutPayload(request: RequestRecord): RequestRecord {
  return { ...request, payload: null }
}
