import type { AppendPlan, Clock, InvocationHead, LedgerRow, RawRow, RunRecord, SessionRecord } from '@daybook/core'
import { eventKind, isTerminalEvent } from '@daybook/core/canonical-runtime-event'
import { invocationState } from '@daybook/core/runtime-invocation'

/** A row of the ledger. Its payload is text, so that nothing outside can change it. */
export interface MemoryRow extends Omit<RawRow, 'bytesDigest'> {
  readonly sessionSeq: number
  readonly payload: string
  readonly committedAt: number
}

/** What a database would hold. Rows and records are replaced, never changed. */
export interface MemoryLedger {
  readonly now: Clock
  readonly sessions: Map<string, MemorySession>
  /** By invocation id, as the invocations are. */
  readonly heads: Map<string, InvocationHead>
  readonly invocations: Map<string, MemoryInvocation>
  readonly runs: Map<string, RunRecord>
  /** Ids of the runs that have not ended, so that asking for them costs nothing for the others. */
  readonly unfinished: Set<string>
}

export interface MemorySession {
  /** Absent where foreign rows name a session that nobody created. */
  record?: SessionRecord
  /** In the order of `sessionSeq`. */
  readonly rows: MemoryRow[]
  readonly runIds: string[]
}

export interface MemoryInvocation {
  /** In the order of `eventSeq`. */
  readonly rows: MemoryRow[]
  readonly byEventId: Map<string, MemoryRow>
}

export function createMemoryLedger(now: Clock): MemoryLedger {
  return { now, sessions: new Map(), heads: new Map(), invocations: new Map(), runs: new Map(), unfinished: new Set() }
}

/** The session, with nothing in it where there was none. */
export function sessionOf(ledger: MemoryLedger, sessionId: string): MemorySession {
  let session = ledger.sessions.get(sessionId)
  if (session === undefined) ledger.sessions.set(sessionId, (session = { rows: [], runIds: [] }))
  return session
}

function invocationOf(ledger: MemoryLedger, invocationId: string): MemoryInvocation {
  let invocation = ledger.invocations.get(invocationId)
  if (invocation === undefined) ledger.invocations.set(invocationId, (invocation = { rows: [], byEventId: new Map() }))
  return invocation
}

export function rowsOf(ledger: MemoryLedger, sessionId: string): readonly MemoryRow[] {
  return ledger.sessions.get(sessionId)?.rows ?? []
}

export function sessionHead(ledger: MemoryLedger, sessionId: string): number {
  return rowsOf(ledger, sessionId).at(-1)?.sessionSeq ?? 0
}

export function runsOf(ledger: MemoryLedger, sessionId: string): RunRecord[] {
  return (ledger.sessions.get(sessionId)?.runIds ?? []).map((runId) => ledger.runs.get(runId)!)
}

export function activeRunOf(ledger: MemoryLedger, sessionId: string): RunRecord | undefined {
  return runsOf(ledger, sessionId).find((run) => run.exclusive && run.finishedAt === null)
}

/** Writes what an append decided. */
export function writePlan(ledger: MemoryLedger, { head, rows }: AppendPlan): void {
  const committedAt = ledger.now()
  writeRows(
    ledger,
    head,
    rows.map((row) => ownRow(row, committedAt)),
  )
}

/** Writes rows, the head after them, and the end of the run with a terminal event. */
export function writeRows(ledger: MemoryLedger, head: InvocationHead, rows: readonly MemoryRow[]): void {
  const { invocationId, runId } = head
  const invocation = invocationOf(ledger, invocationId)
  ledger.heads.set(invocationId, head)
  for (const row of rows) {
    sessionOf(ledger, row.sessionId).rows.push(row)
    invocation.rows.push(row)
    invocation.byEventId.set(row.eventId, row)
  }
  const terminal = rows.find((row) => row.terminal)
  const run = ledger.runs.get(runId)
  if (terminal === undefined || run === undefined || run.finishedAt !== null) return
  const state = invocationState({ terminalEvent: JSON.parse(terminal.payload) })
  ledger.runs.set(runId, { ...run, state, finishedAt: terminal.committedAt })
  ledger.unfinished.delete(runId)
}

function ownRow({ event, json, eventSeq, sessionSeq, payloadDigest }: LedgerRow, committedAt: number): MemoryRow {
  const { sessionId, invocationId, runId, turnId, id } = event
  return {
    sessionId,
    invocationId,
    runId,
    turnId,
    eventId: id,
    eventSeq,
    sessionSeq,
    eventKind: eventKind(event),
    openedAt: eventSeq === 1 ? event.ts : null,
    terminal: isTerminalEvent(event),
    payload: json,
    payloadDigest,
    erasedAt: null,
    committedAt,
  }
}
