import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import { DaybookError, LedgerDamagedError, StorageClosedError, type StorageIdentity } from '@daybook/core'
import { LogWatch } from './agent-events/log-watch.ts'
import type { Durability, SqliteConfig } from './config.ts'
import { openConnection } from './connection.ts'
import type { Database } from './driver.ts'
import { busyError, isBusy, sqliteCode, storageError } from './errors.ts'
import { GroupCommit, type Transaction, type Write } from './group-commit.ts'
import { isLogMoved } from './log-size.ts'
import { migrations } from './migrations/index.ts'
import { schemaDifferences } from './migrations/schema-differences.ts'
import { type Operations, prepareOperations } from './operations.ts'
import { backOffMs } from './pacing.ts'
import { ReadTurns } from './read-turns.ts'
import { prepareTransactions } from './transactions.ts'
import { guardWal } from './wal-guard.ts'

interface Connection {
  readonly database: Database
  readonly operations: Operations
  begin(waitMs: number): Transaction
}

/**
 * All that this process has open of one file: one connection and its write queue, however many stores use it. After an
 * I/O error the connection is closed, and the next use opens another one: what an error left behind in it is not trusted.
 */
export class Handle {
  readonly identity: StorageIdentity
  readonly #file: string
  readonly #readOnly: boolean
  readonly #queue: GroupCommit
  readonly #readTurns = new ReadTurns()
  readonly #logWatch: LogWatch
  #connection: Connection | undefined
  #durability: Durability = 'normal'
  #maxBytes = Infinity
  readonly #onLogGrowth = new Set<(bytes: number) => void>()
  /** Whether the log may hold what an I/O error kept from the disk. */
  #isLogSuspect = false
  #closed = false

  constructor(file: string, readOnly: boolean) {
    this.identity = { description: `sqlite ${file}` }
    this.#file = file
    this.#readOnly = readOnly
    this.#logWatch = new LogWatch(`${file}-wal`, () => this.#connected().operations)
    this.#queue = new GroupCommit({
      begin: (waitMs) => this.#begin(waitMs),
      translate: (error) => this.#translate(error, 0),
    })
  }

  /** Opens the file, and makes the connection as strict as the strictest store that uses it. */
  open({ durability, maxBytes = Infinity, onLogGrowth }: SqliteConfig): void {
    if (onLogGrowth !== undefined) this.#onLogGrowth.add(onLogGrowth)
    if (durability === 'full') this.#durability = durability
    this.#maxBytes = Math.min(this.#maxBytes, maxBytes)
    this.#configure(this.#connected().database)
  }

  /** Rejects with `StorageBusyError` when the file cannot be read for longer than `busyTimeoutMs`. */
  async read<Result>(read: (operations: Operations) => Result, busyTimeoutMs: number): Promise<Result> {
    const since = performance.now()
    for (let attempt = 1; ; attempt += 1) {
      while (this.#readTurns.isSpent()) await nextTurn()
      try {
        return read(this.#connected().operations)
      } catch (error) {
        const waitedMs = performance.now() - since
        if (!isBusy(error) || waitedMs >= busyTimeoutMs) throw this.#translate(error, Math.round(waitedMs))
      }
      await delay(backOffMs(attempt))
    }
  }

  write<Result>(write: Write<Result>, busyTimeoutMs: number): Promise<Result> {
    return this.#queue.write(write, busyTimeoutMs)
  }

  /** See `AgentEventStore.watch`. */
  watch(runId: string, listener: () => void): () => void {
    return this.#logWatch.watch(runId, listener)
  }

  /** Settles what is queued before it returns. */
  flush(): void {
    this.#queue.flush()
  }

  /** Moves what the log holds into the file and empties it. Where that cannot be now, a later one does it. */
  checkpoint(): void {
    try {
      isLogMoved(this.#connected().database, 'TRUNCATE')
    } catch (error) {
      this.#translate(error, 0)
    }
  }

  close(): void {
    this.#closed = true
    this.#logWatch.close()
    this.#disconnect()
  }

  /**
   * After a failed write or fsync the system may show what is not on the disk, and never write it there. Nothing is put
   * behind that: before the next transaction the log is moved into the file, which writes all of it again, and emptied.
   */
  #begin(waitMs: number): Transaction {
    const connection = this.#connected()
    if (this.#isLogSuspect && !isLogMoved(connection.database, 'TRUNCATE')) throw busyError('the log cannot be emptied')
    this.#isLogSuspect = false
    return connection.begin(waitMs)
  }

  #tellLogGrowth(bytes: number): void {
    for (const tell of this.#onLogGrowth) {
      try {
        tell(bytes)
      } catch {}
    }
  }

  #connected(): Connection {
    if (this.#closed) throw new StorageClosedError()
    this.#connection ??= this.#connect()
    return this.#connection
  }

  #connect(): Connection {
    const database = openConnection(this.#file, this.#readOnly, migrations)
    try {
      this.#configure(database)
      const operations = this.#prepare(database)
      const tell = (bytes: number) => this.#tellLogGrowth(bytes)
      const tellChanged = (runIds: readonly string[]) => this.#logWatch.tell(runIds)
      const begin = prepareTransactions(database, operations, guardWal(this.#file), tell, tellChanged)
      return { database, operations, begin }
    } catch (error) {
      database.close()
      throw this.#translate(error, 0)
    }
  }

  /** A statement that the schema does not fit is no mistake in our SQL where the schema is not ours. */
  #prepare(database: Database): Operations {
    try {
      return prepareOperations(database)
    } catch (error) {
      const differences = sqliteCode(error) === 'SQLITE_ERROR' ? schemaDifferences(database) : []
      if (differences.length === 0) throw error
      throw new LedgerDamagedError(null, this.#file, differences.join('; '), { cause: error })
    }
  }

  #disconnect(): void {
    this.#connection?.database.close()
    this.#connection = undefined
  }

  #configure(database: Database): void {
    if (this.#readOnly) return
    database.pragma(`synchronous = ${this.#durability}`)
    if (this.#maxBytes === Infinity) return
    const pageSize = database.pragma('page_size', { simple: true }) as number
    database.pragma(`max_page_count = ${Math.floor(this.#maxBytes / pageSize)}`)
  }

  #translate(error: unknown, waitedMs: number): unknown {
    if (DaybookError.is(error)) return error
    const failure = storageError(error, this.#file, waitedMs)
    if (DaybookError.is(failure) && failure.code === 'STORAGE_IO') {
      this.#isLogSuspect = !this.#readOnly
      this.#disconnect()
    }
    return failure
  }
}
