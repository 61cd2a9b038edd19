import { runtimeInvocationsFromSessionEvents } from '../../invocation/rebuild.ts'
import type { RuntimeEvent, StoredRuntimeEvent } from '../../runtime-event/runtime-event.ts'
import { isTerminalEvent } from '../../runtime-event/terminal.ts'
import { chainLedgerDigest, emptyLedgerDigest } from '../ledger-digest.ts'
import type { Sha256 } from '../sha256.ts'
import type { VerifyProblem } from '../verify-report.ts'
import type { InvocationFacts } from './invocation-facts.ts'
import type { RequestAudit } from './audit-requests.ts'
import type { RawRow } from './raw-row.ts'
import { isWholeOpening, readRow } from './read-row.ts'
import type { ReportBuilder } from './report-builder.ts'

/** Checks the rows of one invocation one after the other and hands on what matters to requests, keeping no more of them than its opening and its end. */
export interface InvocationAudit {
  /** In the order of `eventSeq`. Gives the event; undefined where the row has none that can be read. */
  add(row: RawRow): RuntimeEvent | undefined
  /** After the last row. */
  finish(): InvocationFacts
}

export function createInvocationAudit(
  sessionId: string,
  invocationId: string,
  sha256: Sha256,
  report: ReportBuilder,
  requests: RequestAudit,
): InvocationAudit {
  /** Event 1 and the first terminal event: all that the rebuild looks at. */
  const deciding: StoredRuntimeEvent[] = []
  let runId = ''
  let lastSeq = 0
  let terminalSeq: number | null = null
  let opened = false
  let chain = emptyLedgerDigest
  /** The chain as the head has it: foreign rows join it with the next append. */
  let [ledgerDigest, ledgerDigestSeq] = [chain, 0]

  function problem(code: VerifyProblem['code'], message: string, eventSeq?: number): void {
    report.problem({ code, sessionId, invocationId, ...(eventSeq !== undefined && { eventSeq }), message })
  }

  function checkSeq({ eventSeq, sessionSeq }: RawRow): void {
    if (eventSeq !== lastSeq + 1) problem('seq_gap', `event ${lastSeq + 1} is missing; the next is ${eventSeq}`)
    if (sessionSeq === null) problem('session_seq_gap', 'has no session_seq', eventSeq)
    lastSeq = eventSeq
  }

  function checkOrigin(row: RawRow): void {
    const { eventSeq, payloadDigest } = row
    const position = { sessionId, invocationId, eventSeq }
    if (row.erasedAt !== null) {
      report.note({ code: 'tombstone', ...position, message: 'was erased' })
      if (payloadDigest === null) problem('payload_digest', 'was erased without its digest', eventSeq)
      if (row.payload !== '') problem('payload_digest', 'was erased and holds a payload', eventSeq)
    } else if (payloadDigest === null) {
      const code = terminalSeq === null ? 'foreign_row' : 'straggler'
      report.note({ code, ...position, message: 'was not appended by Daybook' })
    } else if (payloadDigest !== row.bytesDigest) {
      problem('payload_digest', 'is not what was appended', eventSeq)
    }
    if (payloadDigest !== null && terminalSeq !== null) {
      problem('not_sealed', `was appended after the terminal event ${terminalSeq}`, eventSeq)
    }
  }

  function checkOpening(eventSeq: number, opens: boolean): void {
    if (eventSeq === 1) opened = opens
    else if (opens && terminalSeq === null) problem('opening_repeated', 'opens the invocation again', eventSeq)
  }

  /** `event` is undefined where the row cannot be read. */
  function checkTerminal(row: RawRow, event: RuntimeEvent | undefined): void {
    if (terminalSeq !== null) return
    terminalSeq = row.eventSeq
    if (event !== undefined && row.payloadDigest !== null && event.actions?.ledgerDigest !== chain) {
      problem('ledger_digest', 'ends other events than those that stand before it', row.eventSeq)
    }
  }

  return {
    add(row) {
      const { eventSeq } = row
      if (lastSeq === 0) runId = row.runId
      report.count('events')
      checkSeq(row)
      checkOrigin(row)
      const event =
        row.erasedAt === null ? readRow(row, (code, message) => problem(code, message, eventSeq)) : undefined
      if (event?.partial) {
        report.note({ code: 'partial_row', sessionId, invocationId, eventSeq, message: 'holds a part of an event' })
      }
      if (event !== undefined) requests.add(event, row)
      const terminal = event === undefined ? row.terminal : isTerminalEvent(event)
      if (event !== undefined && (eventSeq === 1 || (terminal && terminalSeq === null))) {
        deciding.push({ event, eventSeq, sessionSeq: row.sessionSeq ?? 0, committedAt: 0 })
      }
      checkOpening(eventSeq, event === undefined ? row.eventKind === 'invocation_opened' : isWholeOpening(event))
      if (terminal) checkTerminal(row, event)
      chain = chainLedgerDigest(sha256, chain, {
        eventSeq,
        sessionSeq: row.sessionSeq ?? 0,
        payloadDigest: row.payloadDigest ?? row.bytesDigest,
      })
      if (row.payloadDigest !== null) [ledgerDigest, ledgerDigestSeq] = [chain, eventSeq]
      return event
    },
    finish() {
      if (lastSeq > 0) report.count('invocations')
      if (!opened && lastSeq > 0) problem('opening_missing', 'does not begin with an opening')
      const rebuilt = runtimeInvocationsFromSessionEvents(sessionId, deciding)
      const record = rebuilt.find((one) => one.invocationId === invocationId)
      if (record !== undefined && terminalSeq === null) {
        report.note({ code: 'unfinished', sessionId, invocationId, message: 'has not ended' })
      }
      const ids = { sessionId, invocationId, runId }
      return { ...ids, lastSeq, terminalSeq, ledgerDigest, ledgerDigestSeq, record }
    },
  }
}
