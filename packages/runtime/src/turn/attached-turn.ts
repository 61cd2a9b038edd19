import type { SessionEvent } from '@daybook/core/events'
import type { LiveTurn } from './live-turn.ts'

/** What becomes of a turn whose consumer leaves before its end. */
export type OnLeave = 'stop' | 'detach'

/** The events of a turn for one consumer. The first `next` opens the turn. */
export class AttachedTurn implements AsyncIterableIterator<SessionEvent, undefined> {
  readonly #open: () => Promise<LiveTurn>
  readonly #onLeave: OnLeave
  #opening: Promise<LiveTurn> | undefined
  #isDone = false

  constructor(open: () => Promise<LiveTurn>, onLeave: OnLeave) {
    this.#open = open
    this.#onLeave = onLeave
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<SessionEvent, undefined>> {
    if (this.#isDone) return { done: true, value: undefined }
    try {
      this.#opening ??= this.#open()
      const result = await (await this.#opening).events.next()
      this.#isDone ||= result.done === true
      return result
    } catch (error) {
      this.#isDone = true
      throw error
    }
  }

  /** Leaves. A turn that is stopped by that has its terminal event in the ledger when this resolves; else it rejects. */
  async return(): Promise<IteratorResult<SessionEvent, undefined>> {
    const opening = this.#isDone ? undefined : this.#opening
    this.#isDone = true
    const turn = await opening?.catch(() => undefined)
    if (turn !== undefined) {
      if (this.#onLeave === 'stop') turn.stop('consumer_left')
      turn.events.leave()
      if (this.#onLeave === 'stop') await turn.ended()
    }
    return { done: true, value: undefined }
  }
}
