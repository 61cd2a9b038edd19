import type { Page, RequestCursor, RequestRecord, RunOwner, SessionScope } from '@daybook/core'
import type { Database } from '../driver.ts'
import { decodeRequest, requestColumns, requestEvents, type RequestRow } from './request-row.ts'

type RequestKey = Pick<RequestRecord, 'sessionId' | 'requestId'>

type Expiry = Pick<RequestRecord, 'expiresAt' | 'sessionId' | 'requestId'>

export interface ReadRequests {
  /** In whatever scope. */
  readonly find: (sessionId: string, requestId: string) => RequestRecord | undefined
  readonly ofTurn: (sessionId: string, turnId: string) => RequestRecord[]
  /** What can be answered at this time, strictly after the cursor; of one session, or of all in the scope. */
  readonly open: (
    scope: SessionScope,
    sessionId: string | undefined,
    after: RequestCursor | undefined,
    limit: number,
    now: number,
  ) => Page<RequestRecord, RequestCursor>
  /** Which of these the unfinished runs of this owner asked, and are closed or have expired at this time. */
  readonly settled: (owner: RunOwner, awaited: readonly RequestKey[], now: number) => RequestRecord[]
  /** What is open and has expired at this time, of turns without an unfinished run, oldest first. */
  readonly expired: (after: Expiry | undefined, limit: number, now: number) => RequestRecord[]
}

export function readRequests(database: Database): ReadRequests {
  const select = (from: string) => {
    const statement = database.prepare<unknown[], RequestRow>(`SELECT ${requestColumns} FROM ${from}`).raw()
    return (...values: unknown[]) => statement.all(...values).map(decodeRequest)
  }
  const find = select(`requests q ${requestEvents} WHERE q.session_id = ? AND q.request_id = ?`)
  const ofTurn = select(`requests q ${requestEvents} WHERE q.session_id = ? AND q.turn_id = ? ORDER BY q.session_seq`)
  const isAnswerable = `q.state = 'open' AND (q.expires_at IS NULL OR q.expires_at > ?)`
  const page =
    '(q.requested_at, q.session_id, q.request_id) > (?, ?, ?) ORDER BY q.requested_at, q.session_id, q.request_id'
  const openInScope = select(`requests q ${requestEvents} WHERE q.tenant = ? AND ${isAnswerable} AND ${page} LIMIT ?`)
  const openInSession = select(
    `requests q ${requestEvents} WHERE q.session_id = ? AND q.tenant = ? AND ${isAnswerable}
      AND (q.requested_at, q.request_id) > (?, ?) ORDER BY q.requested_at, q.request_id LIMIT ?`,
  )
  const settled = select(
    `json_each(?) a
    CROSS JOIN requests q ON q.session_id = a.value ->> 'sessionId' AND q.request_id = a.value ->> 'requestId'
    CROSS JOIN agent_runs r ON r.run_id = q.run_id
    ${requestEvents}
    WHERE (q.state <> 'open' OR q.expires_at <= ?) AND r.finished_at IS NULL
      AND r.owner_pid = ? AND r.owner_boot_id IS ? AND r.owner_pid_namespace IS ? AND r.owner_process_started_at IS ?`,
  )
  const expired = select(
    `requests q ${requestEvents} WHERE q.state = 'open' AND q.expires_at <= ?
      AND (q.expires_at, q.session_id, q.request_id) > (?, ?, ?) AND NOT EXISTS (
      SELECT 1 FROM agent_runs r
      WHERE r.session_id = q.session_id AND r.turn_id = q.turn_id AND r.finished_at IS NULL
    ) ORDER BY q.expires_at, q.session_id, q.request_id LIMIT ?`,
  )
  return {
    find: (sessionId, requestId) => find(sessionId, requestId)[0],
    ofTurn,
    open({ tenant }, sessionId, after, limit, now) {
      const from = after ?? { requestedAt: -Infinity, sessionId: '', requestId: '' }
      const requests =
        sessionId === undefined
          ? openInScope(tenant ?? '', now, from.requestedAt, from.sessionId, from.requestId, limit + 1)
          : openInSession(sessionId, tenant ?? '', now, from.requestedAt, from.requestId, limit + 1)
      const items = requests.slice(0, limit)
      const last = items.at(-1)
      return { items, next: requests.length > limit && last !== undefined ? cursorOf(last) : null, floor: 1 }
    },
    settled: ({ pid, bootId, pidNamespace, processStartedAt }, awaited, now) =>
      settled(JSON.stringify(awaited), now, pid, bootId, pidNamespace, processStartedAt),
    expired(after, limit, now) {
      const { expiresAt, sessionId, requestId } = after ?? { expiresAt: -Infinity, sessionId: '', requestId: '' }
      return expired(now, expiresAt, sessionId, requestId, limit)
    },
  }
}

function cursorOf({ requestedAt, sessionId, requestId }: RequestRecord): RequestCursor {
  return { requestedAt, sessionId, requestId }
}
