import { agentEventRows, type AgentEventRows } from './agent-events/agent-event-rows.ts'
import { type ChangedRuns, createChangedRuns } from './agent-events/changed-runs.ts'
import { logPositions } from './agent-events/log-positions.ts'
import { readLog, type ReadLog } from './agent-events/read-log.ts'
import { writeLog, type WriteLog } from './agent-events/write-log.ts'
import { audit, type Audit } from './audit.ts'
import type { Database } from './driver.ts'
import { append, type Append } from './events/append.ts'
import { createHeads, type Heads } from './events/heads.ts'
import { listInvocations, type ListInvocations } from './events/list-invocations.ts'
import { readNewestSessionEvents, readRunEvents, readSessionEvents, type ReadEvents } from './events/read-events.ts'
import { readRequests, type ReadRequests } from './events/read-requests.ts'
import { writeRequests } from './events/write-requests.ts'
import { writeRows } from './events/write-rows.ts'
import { keep, type Kept } from './kept.ts'
import { planOnce } from './plan-once.ts'
import { claimRun, type ClaimRun } from './runs/claim-run.ts'
import { listUnfinishedRuns, type ListUnfinishedRuns } from './runs/list-unfinished-runs.ts'
import { openRun, type OpenRun } from './runs/open-run.ts'
import { readRun, type ReadRun } from './runs/read-run.ts'
import { renewLeases, type RenewLeases } from './runs/renew-leases.ts'
import { stopRequests, type StopRequests } from './runs/stop-requests.ts'
import { findSaid, type FindSaid } from './search/find-said.ts'
import { searchIndex, type SearchIndex } from './search/search-index.ts'
import { createSession, type CreateSession } from './sessions/create-session.ts'
import { listSessions, type ListSessions } from './sessions/list-sessions.ts'
import { readSession, type ReadSession } from './sessions/read-session.ts'
import { removeSession, type RemoveSession } from './sessions/remove-session.ts'
import { sessionListings } from './sessions/session-listings.ts'
import { sessionRevisions, type SessionRevisions } from './sessions/session-revisions.ts'
import { updateSession, type UpdateSession } from './sessions/update-session.ts'

/** What can be done with one connection, its statements prepared. */
export interface Operations {
  readonly kept: Kept
  readonly heads: Heads
  readonly createSession: CreateSession
  readonly readSession: ReadSession
  readonly listSessions: ListSessions
  readonly updateSession: UpdateSession
  readonly sessionRevisions: SessionRevisions
  readonly searchIndex: SearchIndex
  readonly findSaid: FindSaid
  readonly removeSession: RemoveSession
  readonly openRun: OpenRun
  readonly readRun: ReadRun
  readonly claimRun: ClaimRun
  readonly renewLeases: RenewLeases
  readonly stopRequests: StopRequests
  readonly listUnfinishedRuns: ListUnfinishedRuns
  readonly append: Append
  readonly readRunEvents: ReadEvents
  readonly readSessionEvents: ReadEvents
  readonly readNewestSessionEvents: ReadEvents
  readonly readRequests: ReadRequests
  readonly listOldestInvocations: ListInvocations
  readonly listNewestInvocations: ListInvocations
  readonly agentEventLogs: ReadLog
  readonly writeLog: WriteLog
  readonly agentEventRows: AgentEventRows
  readonly changedRuns: ChangedRuns
  /** Another number whenever another connection committed something. */
  readonly dataVersion: () => number
  readonly audit: Audit
}

export function prepareOperations(database: Database): Operations {
  planOnce(database)
  const selectDataVersion = database.prepare<[], number>('PRAGMA data_version').pluck()
  const dataVersion = (): number => selectDataVersion.get()!
  const kept = keep(dataVersion)
  const heads = createHeads(database, kept)
  const rows = writeRows(database, heads, writeRequests(database))
  const requests = readRequests(database)
  const run = readRun(database)
  const session = readSession(database)
  const listings = sessionListings(database)
  const revisions = sessionRevisions(database)
  const search = searchIndex(database)
  const changedRuns = createChangedRuns()
  const agentEventLogs = readLog(database)
  const positions = logPositions(database, kept)
  const logs = writeLog(database, agentEventLogs, positions, changedRuns)
  const logRows = agentEventRows(database, agentEventLogs, positions, logs, changedRuns)
  const newestInvocations = listInvocations(database, 'newest first')
  return {
    kept,
    heads,
    createSession: createSession(database, heads, listings, revisions, search),
    readSession: session,
    listSessions: listSessions(database),
    updateSession: updateSession(database, session, listings, revisions, search),
    sessionRevisions: revisions,
    searchIndex: search,
    findSaid: findSaid(database, session),
    removeSession: removeSession(database, kept, run, session, search, logs),
    openRun: openRun(database, heads, rows, run, requests, logRows),
    readRun: run,
    claimRun: claimRun(database, heads, run),
    renewLeases: renewLeases(database),
    stopRequests: stopRequests(database, run),
    listUnfinishedRuns: listUnfinishedRuns(database),
    append: append(database, heads, rows, requests, logRows),
    readRunEvents: readRunEvents(database),
    readSessionEvents: readSessionEvents(database),
    readNewestSessionEvents: readNewestSessionEvents(database),
    readRequests: requests,
    listOldestInvocations: listInvocations(database, 'oldest first'),
    listNewestInvocations: newestInvocations,
    agentEventLogs,
    writeLog: logs,
    agentEventRows: logRows,
    changedRuns,
    dataVersion,
    audit: audit(database, run, newestInvocations, revisions, listings, agentEventLogs),
  }
}
