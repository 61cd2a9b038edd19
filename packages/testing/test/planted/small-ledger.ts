import { type AcknowledgedEvent, type EventKey, type FinalRow, reachPoint } from '@daybook/testing'
import Database from 'better-sqlite3'

export type PlantedFault =
  | 'no fence'
  | 'no idempotency'
  | 'acknowledgement before commit'
  | 'seal after insert'
  | 'order by clock'

export interface SmallEvent extends EventKey {
  readonly epoch: number
  readonly terminal: boolean
}

interface Head {
  readonly epoch: number
  readonly sealed: number
}

/** The ledger of one session in a SQLite file, as small as can be: right, or with one fault. */
export class SmallLedger {
  readonly #database: Database.Database
  readonly #fault: PlantedFault | null
  readonly #now: () => number

  constructor(file: string, fault: PlantedFault | null, now: () => number) {
    this.#database = new Database(file, { timeout: 60_000 })
    this.#fault = fault
    this.#now = now
    this.#database.exec(`
      PRAGMA journal_mode = WAL;
      CREATE TABLE IF NOT EXISTS heads (
        invocationId TEXT PRIMARY KEY, epoch INTEGER NOT NULL DEFAULT 1, sealed INTEGER NOT NULL DEFAULT 0
      );
      CREATE TABLE IF NOT EXISTS events (
        place INTEGER PRIMARY KEY, time INTEGER, invocationId TEXT, eventId TEXT, eventSeq INTEGER, terminal INTEGER
      )`)
  }

  claim(invocationId: string): number {
    return this.#changeHead(invocationId, 'epoch = epoch + 1').epoch
  }

  /** Undefined when it is refused: the epoch is stale, or the invocation sealed. */
  append(event: SmallEvent): AcknowledgedEvent | undefined {
    const isEarly = this.#fault === 'acknowledgement before commit'
    const answer = this.#transact(event, isEarly ? 'ROLLBACK' : 'COMMIT')
    if (isEarly) setImmediate(() => this.#transact(event, 'COMMIT'))
    if (event.terminal && this.#fault === 'seal after insert') {
      reachPoint('inserted, not sealed')
      this.#seal(event.invocationId)
    }
    return answer
  }

  rows(): FinalRow[] {
    const order = this.#fault === 'order by clock' ? 'time' : 'place'
    const rows = this.#database
      .prepare<[], FinalRow>(`SELECT invocationId, eventId, eventSeq, terminal FROM events ORDER BY ${order}`)
      .all()
    return rows.map((row, index) => ({
      ...row,
      sessionId: 'session',
      sessionSeq: index + 1,
      terminal: Boolean(row.terminal),
    }))
  }

  close(): void {
    this.#database.close()
  }

  #transact(event: SmallEvent, end: 'COMMIT' | 'ROLLBACK'): AcknowledgedEvent | undefined {
    this.#database.exec('BEGIN IMMEDIATE')
    const answer = this.#write(event)
    this.#database.exec(end)
    return answer
  }

  #write({ invocationId, eventId, epoch, terminal }: SmallEvent): AcknowledgedEvent | undefined {
    const find = (): FinalRow | undefined =>
      this.rows().findLast((row) => row.invocationId === invocationId && row.eventId === eventId)
    const stored = find()
    if (stored !== undefined && this.#fault !== 'no idempotency') return { ...stored, duplicate: true }
    const head = this.#changeHead(invocationId, 'epoch = epoch')
    if (head.sealed || (head.epoch !== epoch && this.#fault !== 'no fence')) return undefined
    const eventSeq = this.rows().filter((row) => row.invocationId === invocationId).length + 1
    this.#database
      .prepare('INSERT INTO events (time, invocationId, eventId, eventSeq, terminal) VALUES (?, ?, ?, ?, ?)')
      .run(this.#now(), invocationId, eventId, eventSeq, Number(terminal))
    if (terminal && this.#fault !== 'seal after insert') this.#seal(invocationId)
    return { ...find()!, duplicate: false }
  }

  #seal(invocationId: string): void {
    this.#changeHead(invocationId, 'sealed = 1')
  }

  #changeHead(invocationId: string, change: string): Head {
    this.#database.prepare('INSERT INTO heads (invocationId) VALUES (?) ON CONFLICT DO NOTHING').run(invocationId)
    return this.#database
      .prepare<[string], Head>(`UPDATE heads SET ${change} WHERE invocationId = ? RETURNING epoch, sealed`)
      .get(invocationId)!
  }
}
