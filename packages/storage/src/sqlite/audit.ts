import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { DaybookError, type IndexedRequest, LedgerDamagedError, type PlacedRow, type RawRow } from '@daybook/core'
import type { AuditReader, EventlessPage, InvocationIds } from '../verify/audit-source.ts'
import { auditLogs } from './agent-events/audit-logs.ts'
import type { ReadLog } from './agent-events/read-log.ts'
import type { Database } from './driver.ts'
import { decodeHead, type HeadRow } from './events/heads.ts'
import type { ListInvocations } from './events/list-invocations.ts'
import { decodeRequest, requestColumns, requestEvents, type RequestRow } from './events/request-row.ts'
import { newerSchemaVersion, schemaDifferences } from './migrations/schema-differences.ts'
import type { ReadRun } from './runs/read-run.ts'
import type { SessionListings } from './sessions/session-listings.ts'
import { decodeRevision, type SessionRevisions } from './sessions/session-revisions.ts'
import { decodeSession, type SessionRow } from './sessions/session-row.ts'
import { searchDifferences } from './search/search-differences.ts'
import { unicode } from './search/search-index.ts'

/** Runs reads of verify in one transaction, so that they see one state. */
export type Audit = <Result>(reads: (reader: AuditReader) => Result) => Result

interface StoredRow extends Omit<RawRow, 'terminal' | 'payload' | 'payloadDigest' | 'bytesDigest'> {
  readonly terminal: number
  readonly type: string
  readonly bytes: Buffer
  readonly digest: unknown
}

const rawColumns = `session_id AS sessionId, invocation_id AS invocationId, run_id AS runId, turn_id AS turnId,
  event_id AS eventId, event_seq AS eventSeq, session_seq AS sessionSeq, event_kind AS eventKind,
  opened_at AS openedAt, committed_at AS committedAt, terminal IS 1 AS terminal, typeof(payload_json) AS type,
  CAST(payload_json AS BLOB) AS bytes, payload_digest AS digest, erased_at AS erasedAt`

/** Whether the tenant is that of the session, then the request. */
type IndexRow = readonly [ofTenant: 0 | 1, ...request: unknown[]]

/** Of many faults of a file the first ones are enough. */
const maxFaults = 20

/** Heads, or runs, that are looked at in one go: some milliseconds. */
const eventlessRows = 1000

export function audit(
  database: Database,
  readRun: ReadRun,
  listNewestInvocations: ListInvocations,
  revisions: SessionRevisions,
  listings: SessionListings,
  readLog: ReadLog,
): Audit {
  const [firstSessionId, nextSessionId] = (['>=', '>'] as const).map((follows) =>
    database
      .prepare<[{ id: string }], string | null>(
        `SELECT min(id) FROM (
          SELECT min(id) AS id FROM sessions WHERE id ${follows} :id
          UNION ALL SELECT min(session_id) FROM runtime_events WHERE session_id ${follows} :id
          UNION ALL SELECT min(session_id) FROM requests WHERE session_id ${follows} :id
        )`,
      )
      .pluck(),
  )
  const readSession = database.prepare<[string], SessionRow>('SELECT * FROM sessions WHERE id = ?')
  const placedRows = database.prepare<[string, number, number], PlacedRow>(
    `SELECT session_seq AS sessionSeq, invocation_id AS invocationId, event_seq AS eventSeq
    FROM runtime_events WHERE session_id = ? AND session_seq > ? ORDER BY session_seq LIMIT ?`,
  )
  const rawRows = database.prepare<[string, string, number, number], StoredRow>(
    `SELECT ${rawColumns} FROM runtime_events
    WHERE session_id = ? AND invocation_id = ? AND event_seq > ? ORDER BY event_seq LIMIT ?`,
  )
  const sessionRows = database.prepare<[string, number, number], StoredRow>(
    `SELECT ${rawColumns} FROM runtime_events WHERE session_id = ? AND session_seq > ? ORDER BY session_seq LIMIT ?`,
  )
  const [firstRequests, nextRequests] = (['>=', '>'] as const).map((follows) =>
    database
      .prepare<[string, string, number], IndexRow>(
        `SELECT q.tenant IS (SELECT coalesce(tenant, '') FROM sessions WHERE id = q.session_id), ${requestColumns}
        FROM requests q ${requestEvents} WHERE q.session_id = ? AND q.request_id ${follows} ? ORDER BY q.request_id LIMIT ?`,
      )
      .raw(),
  )
  const readHead = database.prepare<[string], HeadRow>('SELECT * FROM runtime_heads WHERE invocation_id = ?')
  const withoutEvents = {
    heads: invocationsWithoutEvents(database, 'runtime_heads', 'invocation_id'),
    runs: invocationsWithoutEvents(database, 'agent_runs', 'run_id'),
  }
  const logs = auditLogs(database, readLog)
  const reader: AuditReader = {
    integrity() {
      const found = database.pragma(`integrity_check(${maxFaults})`) as { integrity_check: string }[]
      const faults = found.map((row) => row.integrity_check).filter((message) => message !== 'ok')
      const version = newerSchemaVersion(database)
      return [
        ...(version === undefined ? [] : [{ code: 'schema_newer', message: newerSchema(version) } as const]),
        ...[...schemaDifferences(database), ...faults, ...logs.strays()].map(
          (message) => ({ code: 'storage_damaged', message }) as const,
        ),
        ...searchDifferences(database, unicode).map((message) => ({ code: 'search_differs', message }) as const),
      ]
    },
    nextSessionId: (after) =>
      (after === null ? firstSessionId!.get({ id: '' }) : nextSessionId!.get({ id: after })) ?? undefined,
    findSession(sessionId) {
      const row = readSession.get(sessionId)
      return row && orDamage(() => ({ record: decodeSession(row) }))
    },
    revisions: (sessionId, after, limit) =>
      revisions
        .rows(sessionId, after, limit)
        .map((row) => ({ revision: row.revision, ...orDamage(() => decodeRevision(row)) })),
    isListed: listings.have,
    placedRows: (sessionId, after, limit) => placedRows.all(sessionId, after, limit),
    rawRows: (...query) => rawRows.all(...query).map(decodeRawRow),
    sessionRows: (...query) => sessionRows.all(...query).map(decodeRawRow),
    requests: (sessionId, after, limit) =>
      (after === null ? firstRequests! : nextRequests!).all(sessionId, after ?? '', limit).map(decodeIndexed),
    readHead(invocationId) {
      const row = readHead.get(invocationId)
      return row && decodeHead(row)
    },
    readRun: readRun.byId,
    findLog: logs.findLog,
    logRows: logs.logRows,
    logsWithoutRun: logs.logsWithoutRun,
    withoutEvents: (what, sessionId, after) => withoutEvents[what](sessionId, after),
    indexPage: (sessionId, before, limit) => listNewestInvocations(sessionId, before ?? null, limit),
  }
  return (reads) => database.transaction(() => reads(reader))()
}

function newerSchema(version: number): string {
  return `the schema has version ${version}, of newer code: this code cannot tell whether it was changed; verify with that code`
}

function invocationsWithoutEvents(
  database: Database,
  table: 'runtime_heads' | 'agent_runs',
  key: string,
): (sessionId: string | null, after: string | null) => EventlessPage {
  // The plus keeps SQLite from looking through all events of the session, in place of those of the invocation.
  const [first, next] = (['>=', '>'] as const).map((follows) =>
    database.prepare<
      [{ sessionId: string | null; from: string; limit: number }],
      InvocationIds & { key: string; found: number }
    >(
      `SELECT ${key} AS key, session_id AS sessionId, invocation_id AS invocationId,
        (:sessionId IS NULL OR session_id = :sessionId) AND NOT EXISTS (
          SELECT 1 FROM runtime_events e WHERE e.invocation_id = known.invocation_id AND +e.session_id = known.session_id
        ) AS found
      FROM ${table} AS known WHERE ${key} ${follows} :from ORDER BY ${key} LIMIT :limit`,
    ),
  )
  return (sessionId, after) => {
    const select = after === null ? first! : next!
    const rows = select.all({ sessionId, from: after ?? '', limit: eventlessRows })
    const items = rows
      .filter(({ found }) => found === 1)
      .map((row) => ({ sessionId: row.sessionId, invocationId: row.invocationId }))
    return { items, next: rows.length === eventlessRows ? rows.at(-1)!.key : null }
  }
}

function decodeRawRow({ type, bytes, digest, ...row }: StoredRow): RawRow {
  return {
    ...row,
    terminal: row.terminal === 1,
    payload: type === 'text' && isUtf8(bytes) ? bytes.toString() : null,
    payloadDigest: digest === null ? null : decodeDigest(digest),
    bytesDigest: hash('sha256', bytes, 'hex'),
  }
}

function decodeIndexed([ofTenant, ...row]: IndexRow): IndexedRequest {
  const request = row as unknown as RequestRow
  const requestId = request[1]
  try {
    const record = decodeRequest(request)
    return { requestId, record, damage: ofTenant === 1 ? undefined : 'its tenant is not that of the session' }
  } catch (error) {
    if (!DaybookError.is(error) || error.family !== 'damage') throw error
    return { requestId, record: undefined, damage: error.message }
  }
}

/** What is not 32 bytes is the digest of nothing. */
function decodeDigest(digest: unknown): string {
  return Buffer.isBuffer(digest) && digest.length === 32 ? digest.toString('hex') : ''
}

function orDamage<Read>(read: () => Read): Read | { readonly damage: string } {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof LedgerDamagedError)) throw error
    return { damage: error.message }
  }
}
