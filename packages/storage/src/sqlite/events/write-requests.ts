import type { RequestChange } from '@daybook/core'
import type { StoredRuntimeEvent } from '@daybook/core/canonical-runtime-event'
import type { Database } from '../driver.ts'

/** Writes what a fact changes of the requests of its session. */
export type WriteRequests = (change: RequestChange, fact: Omit<StoredRuntimeEvent, 'committedAt'>) => void

export function writeRequests(database: Database): WriteRequests {
  const insert = database.prepare(
    `INSERT INTO requests (
      session_id, request_id, tenant, run_id, turn_id, wait, requested_at, expires_at, state, session_seq
    ) VALUES (
      :sessionId, :requestId, (SELECT coalesce(tenant, '') FROM sessions WHERE id = :sessionId), :runId, :turnId, :wait,
      :requestedAt, :expiresAt, 'open', :sessionSeq
    ) ON CONFLICT DO NOTHING`,
  )
  const close = database.prepare(
    `UPDATE requests SET state = ?, answer_session_seq = ? WHERE session_id = ? AND request_id = ? AND state = 'open'`,
  )
  const endTurn = database.prepare(
    `UPDATE requests INDEXED BY requests_open_session SET state = 'unanswered'
    WHERE session_id = ? AND turn_id = ? AND state = 'open'`,
  )
  const passBy = database.prepare(
    `UPDATE requests INDEXED BY requests_open_session SET state = 'unanswered'
    WHERE session_id = ? AND state = 'open' AND NOT EXISTS (
      SELECT 1 FROM agent_runs r WHERE r.run_id = requests.run_id AND r.parent_invocation_id IS NOT NULL
    )`,
  )
  return (change, { event: { sessionId }, sessionSeq }) => {
    switch (change.type) {
      case 'asked': {
        const { requestId, runId, turnId, wait, requestedAt, expiresAt } = change.request
        insert.run({ sessionId, requestId, runId, turnId, wait, requestedAt, expiresAt, sessionSeq })
        return
      }
      case 'closed':
        close.run(change.state, change.answer === null ? null : sessionSeq, sessionId, change.requestId)
        return
      case 'turn_ended':
        endTurn.run(sessionId, change.turnId)
        return
      case 'passed_by':
        passBy.run(sessionId)
    }
  }
}
