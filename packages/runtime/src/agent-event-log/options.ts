import type { Clock } from '@daybook/core'
import { checkOptions, checkWhole } from '../check-arguments.ts'
import { emitWarning } from '../emit-warning.ts'
import { type StartTimer, startSystemTimer } from '../timing/timer.ts'

/** How many rows a log has before deltas are left out, by default. */
export const AGENT_EVENT_CAP: number = 5000
/** How long the log of a finished run is kept, by default: 24 hours, in ms. */
export const AGENT_EVENT_TTL_MS: number = 86_400_000

export interface AgentEventLogOptions {
  /** Rows after which deltas are left out, by whomever they were written. Default 5000. */
  readonly cap?: number
  /** Bytes of the rows' JSON, likewise. Default 64 MiB. */
  readonly capBytes?: number
  /** How old an unfinished run is when a sweep takes it for abandoned, in ms. Default 7 days. */
  readonly maxAgeMs?: number
  /** How many events of one run may wait to be written; ends of spans and runs always may. Default 10,000. */
  readonly maxQueued?: number
  /** Of how many runs that have nothing to be written this process remembers where their logs stand. Default 1000. */
  readonly maxIdleRuns?: number
  /** Whether a sweep leaves the log of a run, however old: the run goes on, or waits for an answer. Default none. */
  readonly isSpared?: (runId: string) => Promise<boolean>
  /**
   * Has the log of a run end that is over, where its writer could not end it. Called of each run that is followed while it
   * is quiet, every 30 s, or every 2 s where the store tells nobody of changes. Default none.
   */
  readonly endIfOver?: (runId: string) => Promise<void>
  /** Told of runs that a sweep could not remove, and of what `endIfOver` throws. Default `process.emitWarning`. */
  readonly warn?: (message: string, cause?: unknown) => void
  /** When a log was opened, where its header does not say, and when scheduled sweeps happen. Default `Date.now`. */
  readonly now?: Clock
  /** Default the system's timer, which does not keep the process alive. */
  readonly startTimer?: StartTimer
}

/** The options with their defaults. Throws `InvalidInputError`. */
export function checkLogOptions(options: AgentEventLogOptions): Required<AgentEventLogOptions> {
  checkOptions({ options })
  return {
    cap: checkWhole('cap', options.cap ?? AGENT_EVENT_CAP, 0),
    capBytes: checkWhole('capBytes', options.capBytes ?? 64 * 1_048_576, 0),
    maxAgeMs: checkWhole('maxAgeMs', options.maxAgeMs ?? 7 * 86_400_000, 0),
    maxQueued: checkWhole('maxQueued', options.maxQueued ?? 10_000, 1),
    maxIdleRuns: checkWhole('maxIdleRuns', options.maxIdleRuns ?? 1000, 0),
    isSpared: options.isSpared ?? (async () => false),
    endIfOver: options.endIfOver ?? (async () => {}),
    warn: options.warn ?? emitWarning,
    now: options.now ?? Date.now,
    startTimer: options.startTimer ?? startSystemTimer,
  }
}
