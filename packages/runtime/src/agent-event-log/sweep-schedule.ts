import { repeat } from '../timing/repeat.ts'
import type { StartTimer } from '../timing/timer.ts'
import type { SweepCursor, SweepReport } from './sweep.ts'

/** When logs whose time is over are looked for. */
export interface SweepSchedule {
  /** At once. Default false. */
  readonly atStart?: boolean
  /** So many ms after the last time, at most 2,147,483,647. Default never. */
  readonly everyMs?: number | undefined
}

export interface SweepScheduleContext {
  readonly sweep: (signal: AbortSignal, after: SweepCursor | undefined) => Promise<SweepReport>
  readonly startTimer: StartTimer
  readonly warn: (message: string, cause?: unknown) => void
}

/** Sweeps as the schedule says until the returned function is called, which waits for the run that is being removed. */
export function scheduleSweeps(
  { atStart = false, everyMs }: SweepSchedule,
  { sweep, startTimer, warn }: SweepScheduleContext,
): () => Promise<void> {
  const stopped = new AbortController()
  let ongoing = Promise.resolve()

  async function round(): Promise<void> {
    try {
      for (let after: SweepCursor | null | undefined; after !== null && !stopped.signal.aborted;) {
        const { failed, next } = await sweep(stopped.signal, after)
        for (const { runId, error } of failed) warn(`the event log of run "${runId}" could not be removed`, error)
        after = next
      }
    } catch (error) {
      warn('the event logs to remove could not be listed', error)
    }
  }

  const next = (): Promise<void> => (ongoing = ongoing.then(round))
  if (atStart) void next()
  const cancel = everyMs === undefined ? () => {} : repeat(next, everyMs, startTimer)
  return () => {
    stopped.abort()
    cancel()
    return ongoing
  }
}
