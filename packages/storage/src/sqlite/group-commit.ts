import { DaybookError, StorageBusyError } from '@daybook/core'
import type { Decision } from './decision.ts'
import { isBusy } from './errors.ts'
import type { Operations } from './operations.ts'
import { backOffMs, blockingWaitMs, turnBudgetMs } from './pacing.ts'

/** What a request does inside a transaction. It may run again in another one when that was rolled back. */
export type Write<Result> = (operations: Operations) => Decision<Result>

export interface Transaction {
  readonly operations: Operations
  commit(): void
  /** Never throws. */
  rollback(): void
}

export interface Transactions {
  /** Waits at most `waitMs` for another writer, and blocks while it waits. Throws an error of SQLite or a `DaybookError`. */
  begin(waitMs: number): Transaction
  /** What an error means to a caller. */
  translate(error: unknown): unknown
}

interface Request {
  readonly write: Write<unknown>
  readonly since: number
  readonly busyTimeoutMs: number
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/**
 * The write queue of a connection. Writes that are asked for in one turn of the event loop share a transaction, in the
 * order of the calls, and with it one fsync. A promise settles after the commit; when that fails, all of its transaction
 * are rejected. A request that is refused, or fails by itself, leaves the others as they are.
 */
export class GroupCommit {
  readonly #transactions: Transactions
  #queue: Request[] = []
  #cancelWake: (() => void) | undefined
  #attempts = 0

  constructor(transactions: Transactions) {
    this.#transactions = transactions
  }

  /** Rejects with `StorageBusyError` when other writers hold the file for longer than `busyTimeoutMs`. */
  write<Result>(write: Write<Result>, busyTimeoutMs: number): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const settle = { resolve: resolve as Request['resolve'], reject }
      this.#queue.push({ write, since: performance.now(), busyTimeoutMs, ...settle })
      if (this.#cancelWake === undefined) this.#wakeNow()
    })
  }

  /** Settles what is queued before it returns, and blocks meanwhile. */
  flush(): void {
    while (this.#queue.length > 0) {
      this.#run(this.#queue.reduce((longest, { busyTimeoutMs }) => Math.max(longest, busyTimeoutMs), 0))
    }
    this.#cancelWake?.()
    this.#cancelWake = undefined
  }

  #wakeNow(): void {
    const immediate = setImmediate(() => this.#run(blockingWaitMs))
    this.#cancelWake = () => clearImmediate(immediate)
  }

  #run(waitMs: number): void {
    this.#cancelWake?.()
    this.#cancelWake = undefined
    let transaction: Transaction
    try {
      transaction = this.#transactions.begin(waitMs)
    } catch (error) {
      if (isBusy(error)) this.#comeAgain(error)
      else this.#rejectAll(this.#queue.splice(0), error)
      return
    }
    this.#attempts = 0
    this.#runTransaction(transaction)
    if (this.#queue.length > 0) this.#wakeNow()
  }

  #runTransaction(transaction: Transaction): void {
    const outcomes: (() => void)[] = []
    const deadline = performance.now() + turnBudgetMs
    for (const request of this.#queue) {
      if (outcomes.length > 0 && performance.now() > deadline) break
      let decision: Decision<unknown>
      try {
        decision = request.write(transaction.operations)
      } catch (error) {
        // SQLite may have ended the transaction: it does that after an I/O error, even of a read.
        if (!DaybookError.is(error)) return this.#abandon(transaction, outcomes.length, error)
        // A refusal waits for the commit too: it may rest on what a request before it wrote.
        outcomes.push(() => request.reject(error))
        continue
      }
      try {
        const result = decision()
        outcomes.push(() => request.resolve(result))
      } catch (error) {
        return this.#abandon(transaction, outcomes.length, error)
      }
    }
    const taken = this.#queue.splice(0, outcomes.length)
    try {
      transaction.commit()
    } catch (error) {
      transaction.rollback()
      this.#rejectAll(taken, error)
      return
    }
    for (const settle of outcomes) settle()
  }

  /** Where the storage failed, all before it fail with it; where the request did, they run again without it. */
  #abandon(transaction: Transaction, index: number, error: unknown): void {
    transaction.rollback()
    const failure = this.#transactions.translate(error)
    const ofStorage = DaybookError.is(failure) && failure.family === 'unavailable'
    this.#rejectAll(ofStorage ? this.#queue.splice(0, index + 1) : this.#queue.splice(index, 1), failure)
  }

  #rejectAll(requests: readonly Request[], error: unknown): void {
    const failure = this.#transactions.translate(error)
    for (const { reject } of requests) reject(failure)
  }

  #comeAgain(error: unknown): void {
    const now = performance.now()
    const waiting = this.#queue
    this.#queue = []
    for (const request of waiting) {
      const waitedMs = now - request.since
      if (waitedMs < request.busyTimeoutMs) this.#queue.push(request)
      else request.reject(new StorageBusyError(Math.round(waitedMs), { cause: error }))
    }
    if (this.#queue.length === 0) return
    this.#attempts += 1
    const timeout = setTimeout(() => this.#run(blockingWaitMs), backOffMs(this.#attempts))
    this.#cancelWake = () => clearTimeout(timeout)
  }
}
