import { turnBudgetMs } from './pacing.ts'

/** Knows when the reads of one turn of the event loop have taken so long that the next one belongs in another turn. */
export class ReadTurns {
  #started: number | undefined

  /** Ask right before a read. While it is true, wait for another turn and ask again. */
  isSpent(): boolean {
    const now = performance.now()
    if (this.#started === undefined) {
      this.#started = now
      setImmediate(() => (this.#started = undefined))
    }
    return now - this.#started > turnBudgetMs
  }
}
