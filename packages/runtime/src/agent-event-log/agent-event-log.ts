import { randomBytes } from 'node:crypto'
import {
  type AgentEvent,
  type AgentEventHeader,
  AgentEventLogClosedError,
  type AgentEventRow,
  type AgentEventStore,
  checkAgentEvent,
  checkAgentEventTime,
  checkId,
} from '@daybook/core'
import { createMemoryAgentEventStore } from '@daybook/storage/memory-agent-event-store'
import { checkOptions, checkWhole, maxTimerMs } from '../check-arguments.ts'
import { Followers } from './followers.ts'
import type { CommitRows } from './log-writer.ts'
import { AGENT_EVENT_TTL_MS, type AgentEventLogOptions, checkLogOptions } from './options.ts'
import type { RecordOptions } from './record-options.ts'
import type { RecordOutcome, RowOutcome } from './record-outcome.ts'
import { RunRecorder, type RunRecorderContext } from './run-recorder.ts'
import type { AgentEventSubscription } from './subscription.ts'
import { scheduleSweeps, type SweepSchedule } from './sweep-schedule.ts'
import { type SweepOptions, type SweepReport, sweepRuns } from './sweep.ts'

/**
 * The delivery logs of runs: what who watches a run is to see, in order, from any process. Ids that are none are refused
 * with `InvalidIdError`, times that are none with `InvalidInputError`. After `close` what would begin something throws
 * `AgentEventLogClosedError`; reading goes on.
 */
export class AgentEventLog {
  readonly #store: AgentEventStore
  readonly #options: Required<AgentEventLogOptions>
  readonly #followers: Followers
  readonly #recorders = new Map<string, RunRecorder>()
  readonly #context: RunRecorderContext
  readonly #stops = new Set<() => Promise<void>>()
  #isClosed = false

  /** Throws `InvalidInputError`. */
  constructor(store: AgentEventStore, options: AgentEventLogOptions = {}) {
    const checked = checkLogOptions(options)
    const { cap, capBytes, maxQueued, startTimer, endIfOver, warn } = checked
    this.#store = store
    this.#options = checked
    const onQuiet = async (runId: string): Promise<void> => {
      try {
        await endIfOver(runId)
      } catch (error) {
        warn(`the event log of run "${runId}" could not be ended`, error)
      }
    }
    this.#followers = new Followers({ store, startTimer, onQuiet })
    this.#context = {
      store,
      newWriteId: countingWriteIds(),
      startTimer,
      maxQueued,
      limits: { cap, capBytes },
      onStored: (runId) => this.#followers.wake(runId),
      onIdle: (runId, recorder) => {
        const isOver = recorder.isFinished || !recorder.isOpen
        if (isOver && this.#recorders.get(runId) === recorder) this.#recorders.delete(runId)
      },
    }
  }

  /**
   * Creates the log of a run, which can be followed from then on. A log that exists stays as it is, whoever opened it: of
   * those who open it at once one creates it.
   */
  async open(header: AgentEventHeader): Promise<void> {
    this.#refuseClosed()
    const openedAt = header.openedAt ?? this.#options.now()
    if (await this.#store.createHeader({ ...header, openedAt })) this.#followers.wake(header.runId)
  }

  async header(runId: string): Promise<AgentEventHeader | undefined> {
    return this.#store.readHeader(runId)
  }

  /**
   * Records an event after all that were recorded before it. `now` is when, in ms since 1970. Deltas of a text, a reasoning
   * or a tool call's arguments are joined, and stored after 100 ms or 1024 characters at the latest, and before any other
   * event. Who waits for each call before the next waits for the store when it is slow. Throws `AgentEventLogNotOpenError`,
   * `AgentEventLogSealedError` after the end of the run, `InvalidEventError`, `PayloadTooLargeError`; what the store throws
   * is in the outcome.
   */
  async record(runId: string, event: AgentEvent, now: number, options: RecordOptions = {}): Promise<RecordOutcome> {
    checkAgentEventTime('now', now)
    checkAgentEvent(event)
    return this.#recorder(runId).record(event, now, options)
  }

  /** The same, but resolves to the event's seq, undefined unless it is stored. */
  async append(runId: string, event: AgentEvent, now: number): Promise<number | undefined> {
    const outcome = await this.record(runId, event, now)
    return outcome.outcome === 'stored' ? outcome.seq : undefined
  }

  /**
   * Records events with something else, in one write of whoever can do both: `commit` stores the rows it is given with what
   * is the caller's, or throws and stores nothing. It is called again, with other rows, when another process was first,
   * which it tells by `AgentEventDuplicateSeqError`. What it throws else is thrown; then neither these events nor the deltas
   * before them are lost: the same events may be recorded again, and are stored once, also if the write had been kept.
   * They are not to be changed until then. `isLast` is said of the last of them. Throws `AgentEventLogNotOpenError`,
   * `AgentEventLogSealedError`, `InvalidEventError` for what is no event at all.
   */
  async recordWith(
    runId: string,
    events: readonly AgentEvent[],
    now: number,
    commit: CommitRows,
    options: RecordOptions = {},
  ): Promise<readonly RowOutcome[]> {
    checkAgentEventTime('now', now)
    for (const event of events) checkAgentEvent(event)
    return this.#recorder(runId).recordWith(events, now, commit, options)
  }

  /** Records, each by itself, events that `recordWith` could not: what was not kept and fails once more is lost. */
  async recordEach(
    runId: string,
    events: readonly AgentEvent[],
    now: number,
    options: RecordOptions = {},
  ): Promise<readonly RowOutcome[]> {
    checkAgentEventTime('now', now)
    for (const event of events) checkAgentEvent(event)
    return this.#recorder(runId).recordEach(events, now, options)
  }

  /**
   * Has stored what waits here to be joined, and what is owed to the log: the marker of what was lost, and ends that were.
   * What the store does not take then stays owed. Does nothing for a run of which nothing waits or is owed here, whether or
   * not it has a log; throws `AgentEventLogNotOpenError`, `AgentEventLogSealedError` otherwise.
   */
  async flush(runId: string, _now?: number): Promise<void> {
    checkId('runId', runId)
    await this.#recorders.get(runId)?.flush()
  }

  /**
   * What this process has not stored of the run and stores before its next row or with it: the ends of spans, which who
   * reads the rows takes for open, and deltas that wait, if only for the other half of a character. Throws what the store
   * throws.
   */
  async owed(runId: string): Promise<readonly AgentEvent[]> {
    checkId('runId', runId)
    return (await this.#recorders.get(runId)?.owed()) ?? []
  }

  /** Rows with a higher seq than `after`, at most 1000, or fewer of large ones; none where there are no more. */
  async read(runId: string, after: number = 0): Promise<readonly AgentEventRow[]> {
    return (await this.#store.readPage(runId, { after, limit: 1000 })).items
  }

  /**
   * Follows a run from after a seq, 0 for all, until its end, in whichever process it runs. It counts as a listener from now
   * on, until it ends, and reads nothing before `next` is called. Throws `InvalidInputError` for what is no seq.
   */
  subscribe(runId: string, after: number, signal?: AbortSignal): AgentEventSubscription {
    this.#refuseClosed()
    return this.#followers.follow(runId, after, signal)
  }

  /** How many follow the run in this process. */
  listenerCount(runId: string): number {
    return this.#followers.count(runId)
  }

  /** Removes logs whose time is over, as `sweepRuns` does, and returns how many; warns of those that it cannot remove. */
  async sweep(now: number, ttlMs?: number, maxAgeMs?: number): Promise<number> {
    const { removed, failed } = await this.sweepRuns({
      now,
      ...(ttlMs !== undefined && { ttlMs }),
      ...(maxAgeMs !== undefined && { maxAgeMs }),
    })
    for (const { runId, error } of failed)
      this.#options.warn(`the event log of run "${runId}" could not be removed`, error)
    return removed
  }

  /**
   * Removes the logs of runs that finished `ttlMs` ago. Those of runs that were opened `maxAgeMs` ago and are not finished
   * are ended by a `RUN_ERROR` and removed, unless `isSpared` says otherwise. Several processes may sweep at once: each log
   * is removed once, by who claims it. Throws `InvalidInputError`, and what the store throws when it is listed.
   */
  async sweepRuns(options: SweepOptions): Promise<SweepReport> {
    this.#refuseClosed()
    checkOptions({ options })
    const { isSpared, maxAgeMs } = this.#options
    return sweepRuns(
      {
        store: this.#store,
        isSpared,
        record: (runId, event, now) => this.record(runId, event, now),
      },
      { ttlMs: AGENT_EVENT_TTL_MS, maxAgeMs, ...options },
    )
  }

  /**
   * Sweeps as the schedule says, without one every 60,000 ms, until what it returns is called, or `close`. Both wait for
   * the run that is being removed. Throws `InvalidInputError`.
   */
  scheduleSweeps(schedule: SweepSchedule = { everyMs: 60_000 }): () => Promise<void> {
    this.#refuseClosed()
    checkOptions({ schedule })
    if (schedule.everyMs !== undefined) checkWhole('everyMs', schedule.everyMs, 1, maxTimerMs)
    const { now, startTimer, warn } = this.#options
    const cancel = scheduleSweeps(schedule, {
      sweep: (signal, after) => this.sweepRuns({ now: now(), signal, ...(after && { after }) }),
      startTimer,
      warn,
    })
    const stop = (): Promise<void> => {
      this.#stops.delete(stop)
      return cancel()
    }
    this.#stops.add(stop)
    return stop
  }

  /**
   * Stores what waits and what is owed, and warns where the store does not take that; ends every follow as aborted, and
   * stops sweeping. The store stays open.
   */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#followers.close()
    const flushes = Array.from(this.#recorders, async ([runId, recorder]) => {
      await recorder.flush(true)
      if (recorder.owes) this.#options.warn(`the event log of run "${runId}" does not say what was lost of it`)
    })
    await Promise.allSettled([...flushes, ...[...this.#stops].map((stop) => stop())])
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw new AgentEventLogClosedError()
  }

  #recorder(runId: string): RunRecorder {
    this.#refuseClosed()
    checkId('runId', runId)
    const known = this.#recorders.get(runId)
    const recorder = known ?? new RunRecorder(runId, this.#context)
    if (known !== undefined) this.#recorders.delete(runId)
    this.#recorders.set(runId, recorder)
    if (known === undefined) this.#forgetIdle()
    return recorder
  }

  /** The least recently used go first. */
  #forgetIdle(): void {
    let excess = this.#recorders.size - 1 - this.#options.maxIdleRuns
    for (const [runId, recorder] of this.#recorders) {
      if (excess <= 0) return
      if (!recorder.isIdle) continue
      this.#recorders.delete(runId)
      excess--
    }
  }
}

/** A log over the store, by default in memory. */
export function createMemoryAgentEventLog(
  store: AgentEventStore = createMemoryAgentEventStore(),
  options?: AgentEventLogOptions,
): AgentEventLog {
  return new AgentEventLog(store, options)
}

/** Ids that no other log makes, and short: each is stored with a row. */
function countingWriteIds(): () => string {
  const prefix = randomBytes(8).toString('base64url')
  let count = 0
  return () => `${prefix}.${(count++).toString(36)}`
}
