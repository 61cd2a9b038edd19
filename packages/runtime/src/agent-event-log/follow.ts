import { type AgentEventRow, agentRunEnd, gapMarker, InvalidInputError } from '@daybook/core'
import { codeOf } from '../ledger/write.ts'
import type { StartTimer } from '../timing/timer.ts'
import type { FeedPage, RunFeed } from './run-feed.ts'
import type { AgentEventSubscription, FollowEnd } from './subscription.ts'

export interface FollowContext {
  readonly feed: RunFeed
  readonly startTimer: StartTimer
  /** The follow has ended. */
  readonly onEnd: () => void
}

type Result = IteratorResult<AgentEventRow, undefined>

const done: Result = { done: true, value: undefined }

/** So often a log is read that cannot be, with pauses that double, before the follower is told. */
const maxReads = 6
const firstPauseMs = 50

/** Follows one run by its position: a wake-up says only that there may be something behind it. */
export class Follow implements AgentEventSubscription {
  readonly ended: Promise<FollowEnd>
  readonly #context: FollowContext
  readonly #signal: AbortSignal | undefined
  readonly #leave: () => void
  readonly #abort = (): void => this.#end('aborted')
  readonly #settle: (end: FollowEnd) => void
  #isOver = false
  #isKnown = false
  #position: number
  /** When the log was opened that is followed, which tells it from another one of the run. */
  #openedAt: number | undefined
  #isWoken = false
  /** What was read and not handed out: one page at most. */
  #page: FeedPage | undefined
  #index = 0
  #onWake: (() => void) | undefined
  #onEnd: (() => void) | undefined
  /** The calls of `next` follow one another. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(after: number, context: FollowContext, signal?: AbortSignal) {
    this.#position = after
    this.#context = context
    this.#signal = signal
    const { promise, resolve } = Promise.withResolvers<FollowEnd>()
    this.ended = promise
    this.#settle = resolve
    const wake = (): void => {
      this.#isWoken = true
      this.#onWake?.()
    }
    this.#leave = context.feed.join({ wake, leave: this.#abort })
    if (signal?.aborted === true) this.#abort()
    else signal?.addEventListener('abort', this.#abort, { once: true })
  }

  next(): Promise<Result> {
    const next = this.#last.then(() => this.#next())
    this.#last = next.catch(() => {})
    return next
  }

  return(): Promise<Result> {
    this.#end('aborted')
    return Promise.resolve(done)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async #next(): Promise<Result> {
    for (;;) {
      if (this.#isOver) return done
      const row = this.#take()
      if (row !== undefined) return { done: false, value: row }
      this.#isWoken = false
      const page = await this.#read(this.#position)
      if (page === undefined) continue
      if (this.#isOfAnotherLog(page)) {
        this.#end('removed')
        continue
      }
      this.#page = page
      this.#index = 0
      const isEmpty = page.items.length === 0 && Math.max(page.floor, page.missingTo + 1) <= this.#position + 1
      if (isEmpty && (await this.#isAtEnd(page))) await this.#change()
    }
  }

  #isOfAnotherLog({ openedAt }: FeedPage): boolean {
    this.#openedAt ??= openedAt
    return openedAt !== undefined && openedAt !== this.#openedAt
  }

  /** The next row of the page, or the marker of those that are missing before it. */
  #take(): AgentEventRow | undefined {
    if (this.#page === undefined) return undefined
    const { items, floor, missingTo } = this.#page
    const row = items[this.#index]
    const [from, next] = [this.#position + 1, row?.seq ?? Math.max(floor, missingTo + 1)]
    if (next > from) {
      const reason = floor > from ? 'trimmed' : 'missing'
      this.#position = next - 1
      this.#isKnown = true
      return { seq: next - 1, event: gapMarker({ reason, from, to: next - 1 }) }
    }
    if (row === undefined) {
      this.#page = undefined
      return undefined
    }
    this.#index++
    this.#position = row.seq
    this.#isKnown = true
    if (agentRunEnd(row.event) === 'terminal') this.#end('terminal')
    return row
  }

  /** Undefined when the follow has ended meanwhile. */
  async #read(after: number): Promise<FeedPage | undefined> {
    for (let [reads, pauseMs] = [1, firstPauseMs]; !this.#isOver; reads++, pauseMs *= 2) {
      try {
        return await this.#unlessOver(this.#context.feed.read(after))
      } catch (error) {
        if (reads === maxReads || codeOf(error) === 'STORAGE_CLOSED') return this.#fail(error)
        await this.#pause(pauseMs)
      }
    }
    return undefined
  }

  /** Whether there is nothing more, as yet; ends the follow where there never will be. */
  async #isAtEnd({ state }: FeedPage): Promise<boolean> {
    if (state === undefined) {
      this.#end(this.#isKnown ? 'removed' : 'unknown_run')
      return false
    }
    const { lastSeq, header } = state
    if (lastSeq < this.#position) {
      if (!this.#isKnown)
        this.#fail(new InvalidInputError('after', `must be at most ${lastSeq}, the last seq of the run`))
      this.#end('removed')
      return false
    }
    this.#isKnown = true
    if (header.finishedAt === undefined) return true
    const last = lastSeq === 0 ? undefined : await this.#read(lastSeq - 1)
    const [row] = last?.items ?? []
    this.#end(row !== undefined && agentRunEnd(row.event) === 'interrupt' ? 'waiting' : 'terminal')
    return false
  }

  /** Waits until there may be something new. */
  async #change(): Promise<void> {
    if (!this.#isOver && !this.#isWoken) await new Promise<void>((resolve) => (this.#onWake = resolve))
    this.#onWake = undefined
  }

  async #pause(ms: number): Promise<void> {
    if (this.#isOver) return
    await new Promise<void>((resolve) => {
      const cancel = this.#context.startTimer(resolve, ms)
      this.#onEnd = () => {
        cancel()
        resolve()
      }
    })
    this.#onEnd = undefined
  }

  /** Undefined when the follow ends first: then what is waited for may never settle. */
  async #unlessOver<T>(work: Promise<T>): Promise<T | undefined> {
    if (this.#isOver) return undefined
    try {
      return await new Promise<T | undefined>((resolve, reject) => {
        this.#onEnd = () => resolve(undefined)
        work.then(resolve, reject)
      })
    } finally {
      this.#onEnd = undefined
    }
  }

  #fail(error: unknown): never {
    this.#end('aborted')
    throw error
  }

  #end(end: FollowEnd['end']): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#page = undefined
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#leave()
    this.#onWake?.()
    this.#onEnd?.()
    this.#settle({ end, lastSeq: this.#position })
    this.#context.onEnd()
  }
}
