import { hash } from 'node:crypto'
import {
  type AgentEventWriteRecords,
  type AppendedEvent,
  type AppendPlan,
  type AppendRequest,
  type AppendState,
  checkRequests,
  DaybookError,
  type EncodedEvent,
  planAppend,
  RunNotFoundError,
} from '@daybook/core'
import { sha256 } from '../../sha256.ts'
import type { AgentEventRows } from '../agent-events/agent-event-rows.ts'
import type { Decision } from '../decision.ts'
import type { Database } from '../driver.ts'
import type { Heads } from './heads.ts'
import type { ReadRequests } from './read-requests.ts'
import type { WriteRows } from './write-rows.ts'

export interface EncodedAppend extends Pick<AppendRequest, 'invocationId'> {
  /** Undefined for answers, which come under whatever epoch the run has. */
  readonly epoch: number | undefined
  readonly events: readonly EncodedEvent[]
  readonly agentEvents?: AgentEventWriteRecords | undefined
}

/**
 * Almost every event is new, and inserting finds out where one is not: a single event is looked up only then, or when the
 * append would be refused, for a repeat is none.
 */
export type Append = (request: EncodedAppend, committedAt: number) => Decision<readonly AppendedEvent[]>

interface FoundRow {
  readonly eventSeq: number
  readonly sessionSeq: number
  readonly json: string
}

type DigestRow = readonly [eventSeq: number, sessionSeq: number, digest: Buffer | null, foreignBytes: Buffer | null]

export function append(
  database: Database,
  heads: Heads,
  writeRows: WriteRows,
  requests: ReadRequests,
  logRows: AgentEventRows,
): Append {
  const selectRow = database.prepare<[string, string], FoundRow>(
    `SELECT event_seq AS eventSeq, session_seq AS sessionSeq, payload_json AS json
    FROM runtime_events WHERE invocation_id = ? AND event_id = ?`,
  )
  const selectDigests = database
    .prepare<[string, number], DigestRow>(
      `SELECT event_seq, session_seq, payload_digest, iif(payload_digest IS NULL, CAST(payload_json AS BLOB), NULL)
      FROM runtime_events WHERE invocation_id = ? AND event_seq > ? ORDER BY event_seq`,
    )
    .raw()

  return ({ invocationId, epoch: givenEpoch, events, agentEvents }, committedAt) => {
    const head = heads.invocation(invocationId)
    if (head === undefined) throw new RunNotFoundError(invocationId)
    // What foreign rows alone tell of has no run, and nobody here drives it.
    if (givenEpoch === undefined && head.epoch === 0) throw new RunNotFoundError(head.runId)
    const epoch = givenEpoch ?? head.epoch
    const findRequest = (requestId: string) => requests.find(head.sessionId, requestId)
    const sessionHead = heads.session(head.sessionId)
    const digestsAfter = (seq: number) => selectDigests.all(invocationId, seq).map(decodeDigest)
    const plan = (findRow: AppendState['findRow']) =>
      planAppend(sha256, { head, sessionHead, findRow, digestsAfter }, epoch, events)
    const planFromRows = () => plan((eventId) => selectRow.get(invocationId, eventId))
    const checked = (planned: AppendPlan) => {
      checkRequests(planned.rows, findRequest, committedAt)
      return planned
    }
    const planned =
      (events.length === 1 ? unlessRefused(() => checked(plan(() => undefined))) : undefined) ?? checked(planFromRows())
    const writeLogRows = logRows.write(head.runId, agentEvents)
    return () => {
      const { rows, head, appended } = writeRows(planned, committedAt) ? planned : planFromRows()
      if (rows.length > 0) heads.advance(head)
      writeLogRows()
      return appended
    }
  }
}

function unlessRefused<Result>(decide: () => Result): Result | undefined {
  try {
    return decide()
  } catch (error) {
    if (!DaybookError.is(error)) throw error
    return undefined
  }
}

function decodeDigest([eventSeq, sessionSeq, digest, foreignBytes]: DigestRow) {
  return { eventSeq, sessionSeq, payloadDigest: digest?.toString('hex') ?? hash('sha256', foreignBytes!, 'hex') }
}
