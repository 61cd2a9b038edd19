import { join } from 'node:path'
import Database from 'better-sqlite3'
import { encodeCanonicalRuntimeEvent, type RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { OPERATIONAL_STATE_DATABASE_NAME } from '@daybook/storage/operational-state-store'
import { openingContent } from './opening-content.ts'

export interface Filling {
  readonly sessionId: string
  /** How many events of this session are there already. Default none. */
  readonly after?: number
  readonly events: number
  readonly eventsPerInvocation: number
}

/** Puts a session's finished invocations into the ledger by raw SQL, with their runs and heads: a million events in seconds. */
export function fillLedger(root: string, filling: Filling): void {
  const database = new Database(join(root, OPERATIONAL_STATE_DATABASE_NAME))
  database.pragma('synchronous = OFF')
  const insert = database.prepare(`
    INSERT INTO runtime_events (
      event_id, session_id, invocation_id, run_id, turn_id, event_seq, event_kind, payload_json, committed_at,
      session_seq, opened_at, terminal
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const insertRun = database.prepare(`
    INSERT INTO agent_runs (
      run_id, invocation_id, session_id, turn_id, source_kind, exclusive, input_digest, opened_at, finished_at, state,
      epoch, owner_pid
    ) VALUES (?, ?, ?, ?, 'fresh', 1, zeroblob(32), ?, ?, 'completed', 1, 1)`)
  const insertHead = database.prepare(`
    INSERT INTO runtime_heads (
      invocation_id, session_id, run_id, turn_id, epoch, head, terminal_seq, ledger_digest_seq
    ) VALUES (?, ?, ?, ?, 1, ?, ?, 0)`)
  const { sessionId, after = 0, eventsPerInvocation } = filling
  const fill = database.transaction(() => {
    for (let position = after; position < after + filling.events; position += 1) {
      const invocation = Math.floor(position / eventsPerInvocation)
      const eventSeq = (position % eventsPerInvocation) + 1
      const event = madeEvent(sessionId, invocation, eventSeq, eventsPerInvocation)
      const opens = eventSeq === 1
      insert.run(
        event.id,
        sessionId,
        event.invocationId,
        event.runId,
        event.turnId,
        eventSeq,
        event.content?.kind ?? 'completed',
        encodeCanonicalRuntimeEvent(event).json,
        event.ts,
        position + 1,
        opens ? event.ts : null,
        eventSeq === eventsPerInvocation ? 1 : null,
      )
      if (eventSeq < eventsPerInvocation) continue
      const { runId, invocationId, turnId, ts } = event
      insertRun.run(runId, invocationId, sessionId, turnId, ts - eventSeq, ts)
      insertHead.run(invocationId, sessionId, runId, turnId, eventSeq, eventSeq)
    }
  })
  fill()
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
}

function madeEvent(sessionId: string, invocation: number, eventSeq: number, last: number): RuntimeEvent {
  const envelope = {
    id: `event-${eventSeq}`,
    sessionId,
    invocationId: `${sessionId}-invocation-${invocation}`,
    runId: `${sessionId}-run-${invocation}`,
    turnId: `turn-${invocation}`,
    ts: 1_700_000_000_000 + invocation * 1000 + eventSeq,
    partial: false,
    role: 'system',
    author: 'system',
    modelVisibility: 'hidden',
  } as const
  if (eventSeq === 1) {
    return {
      ...envelope,
      content: openingContent({ permissionMode: 'bypass', revision: 1 }),
    }
  }
  if (eventSeq === last) return { ...envelope, status: 'completed', actions: { endInvocation: true } }
  return {
    ...envelope,
    role: 'model',
    author: 'agent',
    modelVisibility: 'visible',
    content: { kind: 'text', text: 'x'.repeat(200) },
  }
}
