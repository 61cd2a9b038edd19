import type { InvocationHead } from '@daybook/core'
import type { Database } from '../driver.ts'
import type { Kept } from '../kept.ts'

/** The heads of invocations and sessions, which are kept, so that an append need not read them again. */
export interface Heads {
  invocation(invocationId: string): InvocationHead | undefined
  /** The highest `sessionSeq`, 0 where there is no event. */
  session(sessionId: string): number
  insert(head: InvocationHead): void
  /** After an append. */
  advance(head: InvocationHead): void
  /** After a claim. */
  setEpoch(head: InvocationHead): void
  /** After the rows of a session were written. */
  setSession(sessionId: string, sessionHead: number): void
}

export interface HeadRow {
  readonly invocation_id: string
  readonly session_id: string
  readonly run_id: string
  readonly turn_id: string
  readonly epoch: number
  readonly head: number
  readonly terminal_seq: number | null
  readonly ledger_digest: Buffer | null
  readonly ledger_digest_seq: number
}

export function createHeads(database: Database, kept: Kept): Heads {
  const select = database.prepare<[string], HeadRow>('SELECT * FROM runtime_heads WHERE invocation_id = ?')
  const selectSession = database
    .prepare<[string], number | null>('SELECT max(session_seq) FROM runtime_events WHERE session_id = ?')
    .pluck()
  const insert = database.prepare(
    `INSERT INTO runtime_heads (
      invocation_id, session_id, run_id, turn_id, epoch, head, terminal_seq, ledger_digest, ledger_digest_seq
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const advance = database.prepare(
    `UPDATE runtime_heads SET head = ?, terminal_seq = ?, ledger_digest = ?, ledger_digest_seq = ?
    WHERE invocation_id = ?`,
  )
  const setEpoch = database.prepare('UPDATE runtime_heads SET epoch = ? WHERE invocation_id = ?')
  const invocations = kept.map<InvocationHead>()
  const sessions = kept.map<number>()
  return {
    invocation(invocationId) {
      const known = invocations.get(invocationId)
      if (known !== undefined) return known
      const row = select.get(invocationId)
      return row && decodeHead(row)
    },
    session(sessionId) {
      return sessions.get(sessionId) ?? selectSession.get(sessionId) ?? 0
    },
    insert(head) {
      const { invocationId, sessionId, runId, turnId, epoch } = head
      insert.run(invocationId, sessionId, runId, turnId, epoch, ...advancing(head))
      invocations.set(invocationId, head)
    },
    advance(head) {
      advance.run(...advancing(head), head.invocationId)
      if (head.terminalSeq === null) invocations.set(head.invocationId, head)
      else invocations.delete(head.invocationId)
    },
    setEpoch(head) {
      setEpoch.run(head.epoch, head.invocationId)
      invocations.set(head.invocationId, head)
    },
    setSession(sessionId, sessionHead) {
      sessions.set(sessionId, sessionHead)
    },
  }
}

function advancing({ head, terminalSeq, ledgerDigest, ledgerDigestSeq }: InvocationHead) {
  return [head, terminalSeq, Buffer.from(ledgerDigest, 'hex'), ledgerDigestSeq] as const
}

export function decodeHead(row: HeadRow): InvocationHead {
  return {
    invocationId: row.invocation_id,
    sessionId: row.session_id,
    runId: row.run_id,
    turnId: row.turn_id,
    epoch: row.epoch,
    head: row.head,
    terminalSeq: row.terminal_seq,
    ledgerDigest: row.ledger_digest?.toString('hex') ?? '',
    ledgerDigestSeq: row.ledger_digest_seq,
  }
}
