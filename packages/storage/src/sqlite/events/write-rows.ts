import { type AppendPlan, type LedgerRow, requestChange } from '@daybook/core'
import { eventKind, isTerminalEvent } from '@daybook/core/canonical-runtime-event'
import { invocationState } from '@daybook/core/runtime-invocation'
import { sha256 } from '../../sha256.ts'
import type { Database } from '../driver.ts'
import type { Heads } from './heads.ts'
import type { WriteRequests } from './write-requests.ts'

/**
 * Writes the rows of a plan, what they change of requests and, with a terminal event, the end of the run. The head is left
 * to the caller. Stops and gives false at a row whose event is stored.
 */
export type WriteRows = (plan: AppendPlan, committedAt: number) => boolean

export function writeRows(database: Database, heads: Heads, writeRequests: WriteRequests): WriteRows {
  // Whatever fails here is rolled back as a whole, so SQLite need not remember how to undo the statement alone (`OR FAIL`).
  const insert = database.prepare(
    `INSERT OR FAIL INTO runtime_events (
      event_seq, session_seq, opened_at, terminal, committed_at, session_id, invocation_id, run_id, turn_id, event_id,
      event_kind, payload_digest, payload_json
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (invocation_id, event_id) DO NOTHING`,
  )
  const finishRun = database.prepare(
    'UPDATE agent_runs SET finished_at = ?, state = ? WHERE run_id = ? AND finished_at IS NULL',
  )

  function writeRow(row: LedgerRow, committedAt: number): boolean {
    const { event, json, eventSeq, sessionSeq, payloadDigest } = row
    const terminal = isTerminalEvent(event)
    const { changes } = insert.run(
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
    if (changes === 0) return false
    if (terminal) finishRun.run(committedAt, invocationState({ terminalEvent: event }), event.runId)
    const change = requestChange({ event, eventSeq, sessionSeq, committedAt }, sha256)
    if (change !== undefined) writeRequests(change, row)
    return true
  }

  return ({ rows, head, sessionHead }, committedAt) => {
    if (!rows.every((row) => writeRow(row, committedAt))) return false
    heads.setSession(head.sessionId, sessionHead)
    return true
  }
}
