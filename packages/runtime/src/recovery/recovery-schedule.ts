import { repeat } from '../timing/repeat.ts'
import type { StartTimer } from '../timing/timer.ts'
import type { RecoveryReport } from './recovery-report.ts'

/** When a session manager looks by itself for runs that nobody drives any more. */
export interface RecoverySchedule {
  /** When the manager is made. Default false. */
  readonly atStart?: boolean
  /** So many ms after the last time. Default never. */
  readonly everyMs?: number
}

export interface RecoveryScheduleContext {
  readonly recover: (signal: AbortSignal) => Promise<RecoveryReport>
  readonly startTimer: StartTimer
  readonly warn: (message: string, cause?: unknown) => void
}

/** Recovers as the schedule says, until the returned function is called, which waits for what is being ended. */
export function scheduleRecovery(
  { atStart = false, everyMs }: RecoverySchedule,
  { recover, startTimer, warn }: RecoveryScheduleContext,
): () => Promise<void> {
  const stopped = new AbortController()
  let ongoing = Promise.resolve()

  async function round(): Promise<void> {
    try {
      const { failed } = await recover(stopped.signal)
      for (const { sessionId, runId, error } of failed) {
        warn(`run "${runId}" of session "${sessionId}" could not be recovered, and is left as it is`, error)
      }
    } catch (error) {
      warn('the runs that nobody drives could not be looked for', error)
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
