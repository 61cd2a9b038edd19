import type { Clock } from '@daybook/core'

/** A clock that stands still until a test moves it. */
export interface FakeClock {
  readonly now: Clock
  /** Jumps to a time in ms since 1970, backwards too. */
  set(time: number): void
  /** Moves by so many ms. */
  advance(ms: number): void
}

export function fakeClock(start: number = 0): FakeClock {
  let time = start
  return {
    now: () => time,
    set(to) {
      time = to
    },
    advance(ms) {
      time += ms
    },
  }
}
