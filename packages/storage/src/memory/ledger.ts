import { isDeepStrictEqual } from 'node:util'
import {
  type AppendPlan,
  applyRequestChange,
  type Clock,
  type InvocationHead,
  type LedgerRow,
  type RawRow,
  type RequestChange,
  type RequestRecord,
  requestChange,
  type RunOwner,
  type RunRecord,
  type SessionRecord,
  type SessionRevision,
} from '@daybook/core'
import { eventKind, isTerminalEvent } from '@daybook/core/canonical-runtime-event'
import { invocationState } from '@daybook/core/runtime-invocation'
import { sha256 } from '../sha256.ts'
import { createMemoryAgentEventLogs, type MemoryAgentEventLogs } from './agent-events/logs.ts'

/** A row of the ledger. Its payload is text, so that nothing outside can change it. */
export interface MemoryRow extends Omit<RawRow, 'bytesDigest'> {
  readonly sessionSeq: number
  readonly payload: string
  readonly committedAt: number
  /** Counts what the storage took, over all sessions. */
  readonly number: number
}

/** A row that is not written yet. */
export type NewMemoryRow = Omit<MemoryRow, 'number'>

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
  readonly agentEvents: MemoryAgentEventLogs
  /** The number of the last row or session that was written. */
  lastNumber: number
}

export interface MemorySession {
  /** Absent where foreign rows name a session that nobody created. */
  record?: SessionRecord
  /** Empty where nobody created it. */
  readonly revisions: SessionRevision[]
  /** As that of a row; 0 where nobody created it. */
  number: number
  /** In the order of `sessionSeq`. */
  readonly rows: MemoryRow[]
  /** In the order in which they were opened. */
  readonly runIds: string[]
  /** The index of requests, by id, in the order of the ledger. */
  readonly requests: Map<string, RequestRecord>
}

export interface MemoryInvocation {
  /** In the order of `eventSeq`. */
  readonly rows: MemoryRow[]
  readonly byEventId: Map<string, MemoryRow>
}

export function createMemoryLedger(now: Clock): MemoryLedger {
  return {
    now,
    sessions: new Map(),
    heads: new Map(),
    invocations: new Map(),
    runs: new Map(),
    unfinished: new Set(),
    agentEvents: createMemoryAgentEventLogs(),
    lastNumber: 0,
  }
}

/** The session, with nothing in it where there was none. */
export function sessionOf(ledger: MemoryLedger, sessionId: string): MemorySession {
  let session = ledger.sessions.get(sessionId)
  if (session === undefined)
    ledger.sessions.set(sessionId, (session = { revisions: [], number: 0, rows: [], runIds: [], requests: new Map() }))
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

export function newestRunOf(ledger: MemoryLedger, sessionId: string): RunRecord | undefined {
  return runsOf(ledger, sessionId).findLast((run) => run.exclusive)
}

export function unfinishedRunsOf(ledger: MemoryLedger, owner: RunOwner): RunRecord[] {
  return unfinishedRuns(ledger).filter((run) => isDeepStrictEqual(run.owner, owner))
}

export function unfinishedRuns(ledger: MemoryLedger): RunRecord[] {
  return Array.from(ledger.unfinished, (runId) => ledger.runs.get(runId)!)
}

/** Writes what an append decided. */
export function writePlan(ledger: MemoryLedger, { head, rows }: AppendPlan, committedAt: number): void {
  writeRows(
    ledger,
    head,
    rows.map((row) => ownRow(row, committedAt)),
    rows.flatMap((row) => requestChange({ ...row, committedAt }, sha256) ?? []),
  )
}

/** Writes rows, the head after them, the end of the run with a terminal event, and what the rows change of requests. */
export function writeRows(
  ledger: MemoryLedger,
  head: InvocationHead,
  newRows: readonly NewMemoryRow[],
  changes: readonly RequestChange[],
): void {
  const { invocationId, runId } = head
  const invocation = invocationOf(ledger, invocationId)
  const rows = newRows.map((row) => ({ ...row, number: (ledger.lastNumber += 1) }))
  ledger.heads.set(invocationId, head)
  for (const row of rows) {
    sessionOf(ledger, row.sessionId).rows.push(row)
    invocation.rows.push(row)
    invocation.byEventId.set(row.eventId, row)
  }
  for (const change of changes) {
    applyRequestChange(sessionOf(ledger, rows[0]!.sessionId).requests, change, (asked) => isOfSubAgent(ledger, asked))
  }
  const terminal = rows.find((row) => row.terminal)
  const run = ledger.runs.get(runId)
  if (terminal === undefined || run === undefined || run.finishedAt !== null) return
  const state = invocationState({ terminalEvent: JSON.parse(terminal.payload) })
  ledger.runs.set(runId, { ...run, state, finishedAt: terminal.committedAt })
  ledger.unfinished.delete(runId)
}

function isOfSubAgent(ledger: MemoryLedger, { runId }: RequestRecord): boolean {
  const parent = ledger.runs.get(runId)?.parentInvocationId
  return parent !== undefined && parent !== null
}

function ownRow({ event, json, eventSeq, sessionSeq, payloadDigest }: LedgerRow, committedAt: number): NewMemoryRow {
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
