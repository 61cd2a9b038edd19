import { emptyHead, foreignEvent, foreignRequestChange, type RequestChange } from '@daybook/core'
import { isTerminalEvent, type RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import type { ForeignRow } from '../foreign-row.ts'
import { type MemoryLedger, type NewMemoryRow, sessionHead, writeRows } from './ledger.ts'

/**
 * Inserts a row past Daybook and completes it as the trigger of the SQLite driver does. Throws where the event id or the
 * seq is taken in its invocation, and refuses nothing else.
 */
export function insertForeignRow(ledger: MemoryLedger, foreign: ForeignRow): void {
  const { session_id: sessionId, invocation_id: invocationId, run_id: runId, turn_id: turnId } = foreign
  const { event_id: eventId, event_seq: eventSeq, event_kind: eventKind, payload_json: payload } = foreign
  const invocation = ledger.invocations.get(invocationId)
  if (invocation?.byEventId.has(eventId) || invocation?.rows.some((row) => row.eventSeq === eventSeq)) {
    throw new Error(`invocation "${invocationId}" has an event "${eventId}" or a seq ${eventSeq}`)
  }
  const row: NewMemoryRow = {
    sessionId,
    invocationId,
    runId,
    turnId,
    eventId,
    eventSeq,
    eventKind,
    payload,
    ...derived(payload, eventSeq),
    sessionSeq: sessionHead(ledger, sessionId) + 1,
    payloadDigest: null,
    erasedAt: null,
    committedAt: foreign.committed_at,
  }
  const before = ledger.heads.get(invocationId) ?? emptyHead({ invocationId, sessionId, runId, turnId }, 0)
  const terminalSeq = row.terminal ? Math.min(before.terminalSeq ?? eventSeq, eventSeq) : before.terminalSeq
  const head = { ...before, head: Math.max(before.head, eventSeq), terminalSeq }
  writeRows(ledger, head, [row], changesOf(ledger, row))
  ledger.invocations.get(invocationId)?.rows.sort((a, b) => a.eventSeq - b.eventSeq)
}

/** A straggler changes nothing. */
function changesOf(ledger: MemoryLedger, row: NewMemoryRow): readonly RequestChange[] {
  const { sessionId, invocationId, eventSeq } = row
  const isStraggler = ledger.invocations
    .get(invocationId)
    ?.rows.some((other) => other.terminal && other.sessionId === sessionId && other.eventSeq < eventSeq)
  if (isStraggler || (!row.terminal && row.openedAt === null)) return []
  const event = foreignEvent(JSON.parse(row.payload) as RuntimeEvent, row)
  const { sessionSeq, committedAt } = row
  const change = foreignRequestChange({ event, eventSeq, sessionSeq, committedAt })
  return change === undefined ? [] : [change]
}

function derived(payload: string, eventSeq: number): Pick<NewMemoryRow, 'openedAt' | 'terminal'> {
  try {
    const event = JSON.parse(payload) as RuntimeEvent
    const opening = eventSeq === 1 && event.content?.kind === 'invocation_opened' && (event.partial as boolean) !== true
    return { openedAt: opening && Number.isSafeInteger(event.ts) ? event.ts : null, terminal: isTerminalEvent(event) }
  } catch {
    return { openedAt: null, terminal: false }
  }
}
