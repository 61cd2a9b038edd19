import type { ReportBuilder } from './report-builder.ts'

/** Where a row stands in its session and in its invocation. */
export interface PlacedRow {
  readonly sessionSeq: number
  readonly invocationId: string
  readonly eventSeq: number
}

/** Checks the order of a session, row after row, keeping one number for each invocation. */
export interface OrderAudit {
  /** In the order of `sessionSeq`. */
  add(row: PlacedRow): void
  /** In the order of their first rows. */
  invocationIds(): Iterable<string>
}

export function createOrderAudit(sessionId: string, report: ReportBuilder): OrderAudit {
  const eventSeqs = new Map<string, number>()
  let last = 0
  return {
    add({ sessionSeq, invocationId, eventSeq }) {
      if (sessionSeq !== last + 1) {
        report.problem({
          code: 'session_seq_gap',
          sessionId,
          message: `the event at session_seq ${last + 1} is missing; the next is at ${sessionSeq}`,
        })
      }
      const before = eventSeqs.get(invocationId) ?? 0
      if (eventSeq < before) {
        const message = `comes after event ${before} in the session`
        report.problem({ code: 'order_differs', sessionId, invocationId, eventSeq, message })
      }
      last = sessionSeq
      eventSeqs.set(invocationId, eventSeq)
    },
    invocationIds: () => eventSeqs.keys(),
  }
}
