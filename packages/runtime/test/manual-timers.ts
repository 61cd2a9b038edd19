import type { StartTimer } from '@daybook/runtime/session-manager'

/** Timers that run out only when a test says so. */
export class ManualTimers {
  readonly #waiting = new Set<() => void>()

  readonly start: StartTimer = (callback) => {
    this.#waiting.add(callback)
    return () => this.#waiting.delete(callback)
  }

  get count(): number {
    return this.#waiting.size
  }

  runOut(): void {
    for (const callback of this.#waiting) {
      this.#waiting.delete(callback)
      callback()
    }
  }
}
