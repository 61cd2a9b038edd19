import { checkId, checkPosition } from '@daybook/core'
import { checkSignal } from '../check-arguments.ts'
import { Follow } from './follow.ts'
import { RunFeed, type RunFeedContext } from './run-feed.ts'
import type { AgentEventSubscription } from './subscription.ts'

/** Who follows which runs in this process. */
export class Followers {
  readonly #context: RunFeedContext
  readonly #feeds = new Map<string, RunFeed>()

  constructor(context: RunFeedContext) {
    this.#context = context
  }

  /** Throws `InvalidIdError`, `InvalidInputError`. */
  follow(runId: string, after: number, signal: AbortSignal | undefined): AgentEventSubscription {
    checkId('runId', runId)
    checkPosition(after)
    checkSignal(signal)
    const feed = this.#feeds.get(runId) ?? new RunFeed(runId, this.#context)
    this.#feeds.set(runId, feed)
    const onEnd = (): void => {
      if (feed.size > 0) return
      feed.close()
      if (this.#feeds.get(runId) === feed) this.#feeds.delete(runId)
    }
    const { startTimer } = this.#context
    return new Follow(after, { feed, startTimer, onEnd }, signal)
  }

  count(runId: string): number {
    return this.#feeds.get(runId)?.size ?? 0
  }

  /** Something of the run was stored, and the store tells nobody. */
  wake(runId: string): void {
    if (this.#context.store.watch === undefined) this.#feeds.get(runId)?.wake()
  }

  /** Ends every follow. */
  close(): void {
    for (const feed of this.#feeds.values()) feed.end()
  }
}
