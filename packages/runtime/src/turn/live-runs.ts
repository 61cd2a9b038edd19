import {
  type AgentRunStore,
  type Clock,
  RunNotFoundError,
  type RunOwner,
  type RunRecord,
  type RuntimeEventStore,
  StaleOwnerError,
} from '@daybook/core'
import { repeat } from '../timing/repeat.ts'
import type { StartTimer } from '../timing/timer.ts'
import type { LiveTurn } from './live-turn.ts'

export interface LiveRunsOptions {
  readonly runStore: AgentRunStore
  readonly runtimeEventStore: RuntimeEventStore
  readonly owner: RunOwner
  readonly leaseMs: number
  readonly startTimer: StartTimer
  readonly now: Clock
  readonly warn: (message: string, cause?: unknown) => void
}

interface LiveRun {
  readonly run: RunRecord
  readonly turn: LiveTurn
}

/** How often this process looks for stops of its runs and answers to them, in ms; who waits for a stop looks as often. */
export const stopPollMs = 25

/** Renewals in the time of a lease: one may fail, and the event loop may be busy for as long as another one. */
const beatsPerLease = 3

/**
 * The runs that this process drives, for as long as it does: renews their leases, gives up what another process has taken
 * over, and passes on what any process asks to stop or answers. Has timers only while there are runs.
 */
export class LiveRuns {
  readonly #options: LiveRunsOptions
  readonly #runs = new Map<string, LiveRun>()
  #endTimers: (() => void)[] = []
  #renewedAt = 0
  #isDeaf = false

  constructor(options: LiveRunsOptions) {
    this.#options = options
  }

  /** The run of the turn was opened. It is forgotten when the turn is over. */
  add(run: RunRecord, turn: LiveTurn): void {
    if (this.#runs.size === 0) this.#startTimers()
    this.#runs.set(run.runId, { run, turn })
    void turn.over.then(() => {
      this.#runs.delete(run.runId)
      if (this.#runs.size === 0) for (const end of this.#endTimers.splice(0)) end()
    })
  }

  has(runId: string): boolean {
    return this.#runs.has(runId)
  }

  #startTimers(): void {
    const { leaseMs, startTimer, now } = this.#options
    this.#renewedAt = now()
    this.#endTimers = [
      repeat(() => this.#renewLeases(), leaseMs / beatsPerLease, startTimer),
      repeat(() => this.#passOn(), stopPollMs, startTimer),
    ]
  }

  async #renewLeases(): Promise<void> {
    const { runStore, leaseMs, now, warn } = this.#options
    const live = [...this.#runs.values()]
    const renewedAt = now()
    const lateMs = renewedAt - this.#renewedAt - leaseMs
    if (lateMs > 0) {
      warn(
        `leases are renewed ${lateMs} ms after they expired: the process was stopped or busy, and may have lost runs`,
      )
    }
    try {
      const runs = live.map(({ run: { runId, epoch } }) => ({ runId, epoch }))
      const renewed = new Set(await runStore.renewLeases({ runs, leaseMs }))
      this.#renewedAt = renewedAt
      for (const each of live) {
        const { runId } = each.run
        // What is over needs no look; the storage may be closed by now.
        if (!renewed.has(runId) && this.has(runId)) await this.#giveUpIfTaken(each)
      }
    } catch (error) {
      warn(`the leases of ${live.length} runs could not be renewed`, error)
    }
  }

  /** What was not renewed has a new owner, or has just ended. */
  async #giveUpIfTaken({ run: { runId, epoch }, turn }: LiveRun): Promise<void> {
    const current = await this.#options.runStore.readRun(runId)
    if (current?.epoch === epoch) return
    turn.giveUp(current ? new StaleOwnerError(runId, epoch, current.epoch) : new RunNotFoundError(runId))
  }

  async #passOn(): Promise<void> {
    const { runStore, runtimeEventStore, owner, warn } = this.#options
    try {
      for (const { runId, by } of await runStore.listStopRequests(owner)) {
        this.#runs.get(runId)?.turn.stop('stop_requested', by)
      }
      const awaited = [...this.#runs.values()].flatMap(({ turn }) => turn.awaited)
      if (awaited.length > 0) {
        for (const request of await runtimeEventStore.listSettledRequests(owner, awaited)) {
          this.#runs.get(request.runId)?.turn.settled(request)
        }
      }
      this.#isDeaf = false
    } catch (error) {
      if (!this.#isDeaf) warn('what other processes stop or answer cannot be read', error)
      this.#isDeaf = true
    }
  }
}
