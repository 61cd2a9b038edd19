/** Calls back once after `ms`, unless the returned function is called before. What the runtime takes as `startTimer`. */
export type StartTimer = (callback: () => void, ms: number) => () => void

interface Timer {
  readonly dueAt: number
  readonly callback: () => void
}

/** Timers for which time passes only when a test says so. A clock that jumps does not move them. */
export class ManualTimers {
  #elapsed = 0
  /** Soonest first; of two that are due together, the one that was started first. */
  #timers: Timer[] = []
  #onStart: (() => void)[] = []

  readonly start: StartTimer = (callback, ms) => {
    const timer = { dueAt: this.#elapsed + ms, callback }
    const after = this.#timers.findIndex(({ dueAt }) => dueAt > timer.dueAt)
    this.#timers.splice(after === -1 ? this.#timers.length : after, 0, timer)
    for (const notify of this.#onStart.splice(0)) notify()
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  /** How many ms each waiting timer has left, soonest first. */
  get waiting(): readonly number[] {
    return this.#timers.map(({ dueAt }) => dueAt - this.#elapsed)
  }

  /** Waits for the code under test to have started so many timers that have not run out. */
  async untilWaiting(count: number = 1): Promise<void> {
    while (this.#timers.length < count) await new Promise<void>((resolve) => this.#onStart.push(resolve))
  }

  /** Lets time pass: calls back what is due by then, soonest first, also what a callback starts meanwhile. */
  advance(ms: number): void {
    const until = this.#elapsed + ms
    for (;;) {
      const [next] = this.#timers
      if (next === undefined || next.dueAt > until) break
      this.#timers.shift()
      this.#elapsed = next.dueAt
      next.callback()
    }
    this.#elapsed = until
  }
}
