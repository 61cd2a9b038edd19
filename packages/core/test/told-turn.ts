import { hash } from 'node:crypto'
import { createLogRowsAudit } from '../src/agent-event/audit/audit-log-rows.ts'
import { LogRunAudit } from '../src/agent-event/audit/audit-log-run.ts'
import { FactsToTell } from '../src/agent-event/audit/facts-to-tell.ts'
import { logReport } from '../src/agent-event/audit/log-report.ts'
import { agentRunEnd } from '../src/agent-event/log/run-end.ts'
import { agentEventsOf, agentEventsOfStart } from '../src/agent-event/mapping/map.ts'
import { untoldRun } from '../src/agent-event/mapping/told-run.ts'
import { closingEvents } from '../src/invocation/closing-events.ts'
import { noOpenItems, trackSessionEvent } from '../src/invocation/open-items.ts'
import type { InvocationRecord } from '../src/invocation/invocation-record.ts'
import { createReportBuilder } from '../src/ledger/verify/report-builder.ts'
import type { RawRow } from '../src/ledger/verify/raw-row.ts'
import { type AgentEventHeader, type AgentEventState, isTruncationMarker } from '../src/ports/agent-event-store.ts'
import type { RuntimeEvent } from '../src/runtime-event/runtime-event.ts'
import { encodeCanonicalRuntimeEvent } from '../src/runtime-event/encode.ts'
import { isTerminalEvent } from '../src/runtime-event/terminal.ts'
import type { SessionEvent } from '../src/session-event/session-event.ts'
import { runtimeEventFromSessionEvent } from '../src/session-event/to-runtime-event.ts'

/** A turn as the ledger and the log of its run have it; a test changes what it wants. */
export interface ToldTurn {
  /** Event 1 and 2 would be the opening and what the user said. */
  facts: RuntimeEvent[]
  /** JSON texts, or what is none. */
  rows: (string | null)[]
  /** Seqs, where they are not 1, 2, … from the floor on. */
  seqs?: number[]
  writeIds?: string[]
  state: { -readonly [Field in keyof AgentEventState]: AgentEventState[Field] }
}

const ids = { sessionId: 'thread', invocationId: 'invocation', runId: 'run' }

/** What the session manager writes of these events. Where they end the turn, what is open is closed first. */
export function toldTurn(events: readonly SessionEvent[], protocolVersion: string = '1.0'): ToldTurn {
  const header: AgentEventHeader = {
    runId: 'run',
    threadId: 'thread',
    tenant: null,
    gates: [],
    userId: null,
    operatorId: null,
    protocolVersion,
  }
  const told = untoldRun(header)
  const items = noOpenItems()
  const facts: RuntimeEvent[] = []
  const shown = [...agentEventsOfStart(told)]
  const tell = (event: SessionEvent): void => {
    const fact = runtimeEventFromSessionEvent(event, ids, items)
    // As the ledger gives it back.
    if (fact !== undefined) facts.push(JSON.parse(encodeCanonicalRuntimeEvent(fact).json) as RuntimeEvent)
    shown.push(...agentEventsOf(told, event))
    trackSessionEvent(items, event)
  }
  for (const event of events) {
    if (event.type === 'complete' || event.type === 'abort') {
      const callOutcome =
        event.type === 'complete' && event.stopReason === 'waiting' ? {} : { callOutcome: 'unknown' as const }
      const stamp = { turnId: event.turnId, newId: () => `closing ${facts.length}`, now: () => 2, ...callOutcome }
      for (const closing of closingEvents(items, stamp).events) tell(closing)
    }
    tell(event)
  }
  const isEnded = agentRunEnd(shown.at(-1)!) !== undefined
  const turn: ToldTurn = {
    facts,
    rows: shown.map((event) => JSON.stringify(event)),
    state: {
      header: { ...header, ...(isEnded && { finishedAt: 9 }) },
      lastSeq: 0,
      bytes: 0,
      floor: 1,
      truncated: false,
    },
  }
  return withState(turn)
}

/** The same with what is kept beside its rows as those are. */
export function withState(turn: ToldTurn): ToldTurn {
  const { rows, state } = turn
  state.lastSeq = rows.length
  state.bytes = rows.reduce((bytes, row) => bytes + Buffer.byteLength(row ?? ''), 0)
  state.truncated = rows.some((row) => row?.startsWith('{') === true && isTruncationMarker(JSON.parse(row)))
  return turn
}

/** What verify finds of it: code and message, notes with `note` before them. */
export function found({ facts, rows, seqs, writeIds, state }: ToldTurn): string[] {
  const sha256 = (text: string): string => hash('sha256', text)
  const report = createReportBuilder()
  const log = logReport(report, ids)
  const toTell = new FactsToTell(sha256)
  for (const [index, fact] of facts.entries()) toTell.add(fact, { eventSeq: index + 3, payloadDigest: 'x' } as RawRow)
  const place = facts.findIndex(isTerminalEvent)
  const record = place === -1 ? {} : { terminalEvent: facts[place] }
  const invocation = {
    ...ids,
    lastSeq: facts.length + 2,
    terminalSeq: place === -1 ? null : place + 3,
    ledgerDigest: '',
    ledgerDigestSeq: 0,
    record: record as InvocationRecord,
  }
  const rowsAudit = createLogRowsAudit(state, log)
  const runAudit = new LogRunAudit(state, invocation, toTell, null, log)
  for (const [index, json] of rows.entries()) {
    const seq = seqs?.[index] ?? index + state.floor
    const writeId = writeIds?.[index] ?? null
    const event = rowsAudit.add({ seq, json, bytes: Buffer.byteLength(json ?? ''), writeId })
    runAudit.add(seq, event, writeId, rowsAudit.isWhole)
  }
  rowsAudit.finish()
  runAudit.finish(rowsAudit.isWhole)
  const { problems, notes } = report.build()
  return [
    ...problems.map(({ code, message }) => `${code}: ${message}`),
    ...notes.map(({ code, message }) => `note ${code}: ${message}`),
  ]
}
