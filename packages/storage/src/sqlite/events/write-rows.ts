import type { AppendPlan, LedgerRow } from '@daybook/core'
import { eventKind, isTerminalEvent } from '@daybook/core/canonical-runtime-event'
import { invocationState } from '@daybook/core/runtime-invocation'
import type { Database } from '../driver.ts'
import type { Heads } from './heads.ts'

/** Writes the rows of a plan and, with a terminal event, the end of the run. The head is left to the caller. */
export type WriteRows = (plan: AppendPlan, committedAt: number) => void

export function writeRows(database: Database, heads: Heads): WriteRows {
  const insert = database.prepare(
    `INSERT INTO runtime_events (
      event_seq, session_seq, opened_at, terminal, committed_at, session_id, invocation_id, run_id, turn_id, event_id,
      event_kind, payload_digest, payload_json
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const finishRun = database.prepare(
    'UPDATE agent_runs SET finished_at = ?, state = ? WHERE run_id = ? AND finished_at IS NULL',
  )

  function writeRow({ event, json, eventSeq, sessionSeq, payloadDigest }: LedgerRow, committedAt: number): void {
    const terminal = isTerminalEvent(event)
    insert.run(
      eventSeq,
      sessionSeq,
      eventSeq === 1 ? event.ts : null,
      terminal ? 1 : null,
      committedAt,
      event.sessionId,
      event.invocationId,
      event.runId,
      event.turnId,
      event.id,
      eventKind(event),
      Buffer.from(payloadDigest, 'hex'),
      json,
    )
    if (terminal) finishRun.run(committedAt, invocationState({ terminalEvent: event }), event.runId)
  }

  return ({ rows, head, sessionHead }, committedAt) => {
    for (const row of rows) writeRow(row, committedAt)
    heads.setSession(head.sessionId, sessionHead)
  }
}
