import type { AgentEventPage, AgentEventState, AgentEventStore } from '@daybook/core'
import type { StartTimer } from '../timing/timer.ts'

export interface FeedPage extends AgentEventPage {
  /** Where the page has no rows: how the log stands, undefined where there is none. */
  readonly state?: AgentEventState | undefined
  /** The last seq of rows that should follow and are not there, though nobody trimmed them; 0 where there are none. */
  readonly missingTo: number
}

export interface Follower {
  /** There may be something new. */
  readonly wake: () => void
  /** There will be nothing more here. */
  readonly leave: () => void
}

export interface RunFeedContext {
  readonly store: AgentEventStore
  readonly startTimer: StartTimer
  /** Nothing was heard of the run for long. Must not reject. */
  readonly onQuiet: (runId: string) => Promise<void>
}

/** How often a log is looked at that may have changed, in ms, where its store tells nobody of changes, and where it does. */
const polls = { untold: { first: 50, longest: 2000 }, told: { first: 30_000, longest: 30_000 } }
const pageRows = 128

/** What all who follow one run in this process share: one watch of the store, one timer, and reads of the same place. */
export class RunFeed {
  readonly #runId: string
  readonly #context: RunFeedContext
  readonly #followers = new Set<Follower>()
  readonly #reads = new Map<number, Promise<FeedPage>>()
  readonly #poll: { readonly first: number; readonly longest: number }
  readonly #unwatch: (() => void) | undefined
  #pollMs: number
  #cancelPoll: (() => void) | undefined
  #isClosed = false

  constructor(runId: string, context: RunFeedContext) {
    this.#runId = runId
    this.#context = context
    this.#unwatch = context.store.watch?.(runId, () => this.wake())
    this.#poll = this.#unwatch === undefined ? polls.untold : polls.told
    this.#pollMs = this.#poll.first
    this.#wait()
  }

  get size(): number {
    return this.#followers.size
  }

  /** Tells the follower, until what it returns is called. */
  join(follower: Follower): () => void {
    this.#followers.add(follower)
    return () => {
      this.#followers.delete(follower)
    }
  }

  wake(): void {
    // What is being read may be older than what this tells of.
    this.#reads.clear()
    for (const follower of this.#followers) follower.wake()
  }

  /** Sends all away. */
  end(): void {
    for (const follower of this.#followers) follower.leave()
  }

  /** What follows the position. */
  read(after: number): Promise<FeedPage> {
    const begun = this.#reads.get(after)
    if (begun !== undefined) return begun
    const read = this.#read(after)
    this.#reads.set(after, read)
    const forget = (): void => {
      if (this.#reads.get(after) === read) this.#reads.delete(after)
    }
    read.then(forget, forget)
    return read
  }

  /** Nobody follows any more. */
  close(): void {
    this.#isClosed = true
    this.#unwatch?.()
    this.#cancelPoll?.()
  }

  async #read(after: number): Promise<FeedPage> {
    const { store } = this.#context
    for (let missingTo = 0; ;) {
      const page = await store.readPage(this.#runId, { after, limit: pageRows })
      if (page.items.length > 0) {
        this.#pollSoon()
        return { ...page, missingTo: 0 }
      }
      const state = await store.readState(this.#runId)
      const { lastSeq = 0, header: { openedAt = page.openedAt } = {} } = state ?? {}
      const found = { ...page, ...(openedAt !== undefined && { openedAt }), state }
      if (lastSeq <= after) return { ...found, missingTo: 0 }
      if (missingTo > 0) return { ...found, missingTo }
      // Written since the page was read, unless the next one has no rows either.
      missingTo = lastSeq
    }
  }

  #pollSoon(): void {
    if (this.#isClosed || this.#pollMs === this.#poll.first) return
    this.#pollMs = this.#poll.first
    this.#cancelPoll?.()
    this.#wait()
  }

  #wait(): void {
    const { startTimer, onQuiet } = this.#context
    const isLongest = this.#pollMs === this.#poll.longest
    this.#cancelPoll = startTimer(() => {
      this.#pollMs = Math.min(this.#pollMs * 2, this.#poll.longest)
      this.#wait()
      this.wake()
      if (isLongest) void onQuiet(this.#runId)
    }, this.#pollMs)
  }
}
