import { setTimeout as delay } from 'node:timers/promises'
import { StorageIoError, type StorageIdentity } from '@daybook/core'
import { backOffMs } from './back-off.ts'
import type { SqliteConfig } from './config.ts'
import { openConnection } from './connection.ts'
import type { Database, Statement } from './driver.ts'
import { isBusy, storageError } from './errors.ts'
import { GroupCommit, type Transaction, type Write } from './group-commit.ts'
import { migrations } from './migrations/index.ts'
import { type Operations, prepareOperations } from './operations.ts'
import { guardWal, type WalGuard } from './wal-guard.ts'

interface Connection {
  readonly database: Database
  readonly operations: Operations
  readonly wal: WalGuard
  readonly transaction: Transaction
  readonly begin: (waitMs: number) => void
}

/**
 * All that this process has open of one file: one connection and its write queue, however many stores use it. After an
 * I/O error the connection is closed, and the next use opens another one.
 */
export class Handle {
  readonly identity: StorageIdentity
  readonly #file: string
  readonly #readOnly: boolean
  readonly #queue: GroupCommit
  #connection: Connection | undefined
  #durability: SqliteConfig['durability'] = 'normal'
  #maxBytes = Infinity

  constructor(file: string, readOnly: boolean) {
    this.identity = { description: `sqlite ${file}` }
    this.#file = file
    this.#readOnly = readOnly
    this.#queue = new GroupCommit({
      begin: (waitMs) => this.#begin(waitMs),
      translate: (error) => this.#translate(error, 0),
    })
  }

  /** Opens the file, and makes the connection as strict as the strictest store that uses it. */
  open({ durability, maxBytes = Infinity }: SqliteConfig): void {
    if (durability === 'full') this.#durability = durability
    this.#maxBytes = Math.min(this.#maxBytes, maxBytes)
    this.#configure(this.#connected().database)
  }

  /** Rejects with `StorageBusyError` when the file is not readable for longer than `busyTimeoutMs`. */
  async read<Result>(read: (operations: Operations) => Result, busyTimeoutMs: number): Promise<Result> {
    const since = performance.now()
    for (let attempt = 1; ; attempt += 1) {
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

  /** Settles what is queued before it returns. */
  flush(): void {
    this.#queue.flush()
  }

  /** Moves what the log holds into the file and empties it, where no other process is reading. */
  checkpoint(): void {
    this.#connection?.database.pragma('wal_checkpoint(TRUNCATE)')
  }

  close(): void {
    this.#connection?.database.close()
    this.#connection = undefined
  }

  #connected(): Connection {
    if (this.#connection !== undefined) return this.#connection
    const database = openConnection(this.#file, this.#readOnly, migrations)
    try {
      this.#configure(database)
      this.#connection = connect(database, this.#file)
      return this.#connection
    } catch (error) {
      database.close()
      throw error
    }
  }

  #configure(database: Database): void {
    if (this.#readOnly) return
    database.pragma(`synchronous = ${this.#durability}`)
    if (this.#maxBytes === Infinity) return
    const pageSize = database.pragma('page_size', { simple: true }) as number
    database.pragma(`max_page_count = ${Math.floor(this.#maxBytes / pageSize)}`)
  }

  #begin(waitMs: number): Transaction {
    const { wal, begin, transaction } = this.#connected()
    wal.check()
    begin(waitMs)
    return transaction
  }

  #translate(error: unknown, waitedMs: number): unknown {
    const failure = storageError(error, this.#file, waitedMs)
    if (failure !== error && failure instanceof StorageIoError) this.close()
    return failure
  }
}

function connect(database: Database, file: string): Connection {
  const operations = prepareOperations(database)
  const [begin, commit, rollback] = ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK'].map((sql) => database.prepare(sql)) as [
    Statement,
    Statement,
    Statement,
  ]
  let timeoutMs: number | undefined
  return {
    database,
    operations,
    wal: guardWal(file),
    begin(waitMs) {
      if (waitMs !== timeoutMs) database.pragma(`busy_timeout = ${waitMs}`)
      timeoutMs = waitMs
      begin.run()
      operations.heads.begin()
    },
    transaction: {
      operations,
      commit() {
        commit.run()
      },
      rollback() {
        operations.heads.forget()
        if (database.inTransaction) rollback.run()
      },
    },
  }
}
