import { hash } from 'node:crypto'
import { type AppendedEvent, type AppendRequest, type EncodedEvent, planAppend, RunNotFoundError } from '@daybook/core'
import { sha256 } from '../../sha256.ts'
import type { Decision } from '../decision.ts'
import type { Database } from '../driver.ts'
import type { Heads } from './heads.ts'
import type { WriteRows } from './write-rows.ts'

export interface EncodedAppend extends Pick<AppendRequest, 'invocationId' | 'epoch'> {
  readonly events: readonly EncodedEvent[]
}

export type Append = (request: EncodedAppend, committedAt: number) => Decision<readonly AppendedEvent[]>

interface FoundRow {
  readonly eventSeq: number
  readonly sessionSeq: number
  readonly json: string
}

export function append(database: Database, heads: Heads, writeRows: WriteRows): Append {
  const findRow = database.prepare<[string, string], FoundRow>(
    `SELECT event_seq AS eventSeq, session_seq AS sessionSeq, payload_json AS json
    FROM runtime_events WHERE invocation_id = ? AND event_id = ?`,
  )
  const digestsAfter = database
    .prepare<[string, number], [eventSeq: number, digest: Buffer | null, foreignBytes: Buffer | null]>(
      `SELECT event_seq, payload_digest, iif(payload_digest IS NULL, CAST(payload_json AS BLOB), NULL)
      FROM runtime_events WHERE invocation_id = ? AND event_seq > ? ORDER BY event_seq`,
    )
    .raw()

  return ({ invocationId, epoch, events }, committedAt) => {
    const head = heads.invocation(invocationId)
    if (head === undefined) throw new RunNotFoundError(invocationId)
    const plan = planAppend(
      sha256,
      {
        head,
        sessionHead: heads.session(head.sessionId),
        findRow: (eventId) => findRow.get(invocationId, eventId),
        digestsAfter: (eventSeq) =>
          digestsAfter.all(invocationId, eventSeq).map(([seq, digest, foreignBytes]) => ({
            eventSeq: seq,
            payloadDigest: digest?.toString('hex') ?? hash('sha256', foreignBytes!, 'hex'),
          })),
      },
      epoch,
      events,
    )
    return () => {
      if (plan.rows.length > 0) {
        writeRows(plan, committedAt)
        heads.advance(plan.head)
      }
      return plan.appended
    }
  }
}
