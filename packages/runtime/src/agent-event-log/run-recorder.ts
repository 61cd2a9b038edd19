import {
  type AgentDelta,
  type AgentEvent,
  AgentEventLogSealedError,
  AgentEventLosses,
  AgentEventQueueFullError,
  agentStreamOf,
  endsAgentStream,
  isAgentDelta,
  isOwedOnceLost,
  PendingDeltas,
} from '@daybook/core'
import type { StartTimer } from '../timing/timer.ts'
import { copyOfDelta, copyOfEvent, type LogRow, rowOf, rowsOf } from './log-row.ts'
import { type CommitRows, isEnd, LogWriter, type LogWriterContext } from './log-writer.ts'
import type { RecordOptions } from './record-options.ts'
import type { RecordOutcome, RowOutcome } from './record-outcome.ts'

export interface RunRecorderContext extends LogWriterContext {
  readonly startTimer: StartTimer
  /** How many events of a run may wait to be written. */
  readonly maxQueued: number
  /** The recorder has nothing left to do, for now or for good. */
  readonly onIdle: (runId: string, recorder: RunRecorder) => void
}

/** Deltas wait for so long at most, in ms, and until they have so many UTF-16 units. */
const maxWaitMs = 100
const maxWaitLength = 1024

const buffered: Promise<RecordOutcome> = Promise.resolve({ outcome: 'buffered' })
const dropped: Promise<RecordOutcome> = Promise.resolve({ outcome: 'dropped' })

/** What became of the text of each stream. */
type Flushed = ReadonlyMap<string, RowOutcome>

/** Takes the events of one run in the order of the calls, joins the deltas among them, and has them written. */
export class RunRecorder {
  readonly #runId: string
  readonly #context: RunRecorderContext
  readonly #writer: LogWriter
  readonly #pending: PendingDeltas = new PendingDeltas()
  #pendingSince: number | undefined
  #cancelTimer: (() => void) | undefined
  /** The work that is begun or waits; never rejects. */
  #tail: Promise<unknown> = Promise.resolve()
  #queued = 0
  #nextFlush: Promise<Flushed> | undefined
  /** Deltas whose write by somebody else failed. */
  #unwritten: readonly LogRow[] = []
  /** Whether the log is there, which deltas that come before that is known ask once. */
  #check: Promise<RecordOutcome> | undefined
  /** What was lost because too much waited, since what was begun or waits last. */
  #skipped: AgentEventLosses | undefined
  #onLost: RecordOptions['onLost']

  constructor(runId: string, context: RunRecorderContext) {
    this.#runId = runId
    this.#context = context
    this.#writer = new LogWriter(runId, context)
  }

  /** Nothing is known here that the store does not know. */
  get isIdle(): boolean {
    const isEmpty = this.#queued === 0 && this.#pending.length === 0 && this.#unwritten.length === 0
    return isEmpty && this.#skipped === undefined && this.#writer.isIdle
  }

  get isFinished(): boolean {
    return this.#writer.standing?.isFinished === true
  }

  /** The log was there when this process last looked. */
  get isOpen(): boolean {
    return this.#writer.standing !== undefined
  }

  record(event: AgentEvent, now: number, { isLast = false, onLost }: RecordOptions): Promise<RecordOutcome> {
    this.#onLost = onLost ?? this.#onLost
    return isAgentDelta(event) && !isLast ? this.#recordDelta(event, now) : this.#recordWhole(event, now, isLast)
  }

  async recordWith(
    events: readonly AgentEvent[],
    now: number,
    commit: CommitRows,
    { isLast = false, onLost }: RecordOptions,
  ): Promise<readonly RowOutcome[]> {
    this.#onLost = onLost ?? this.#onLost
    const deltas = this.#takeBefore(events)
    const rows = rowsOf(events, now, isLast)
    return this.#enqueue(async () => {
      const before = [...this.#unwritten, ...deltas]
      this.#unwritten = before
      const all = [...before, ...rows]
      const outcomes = await this.#writer.writeWith(all, commit)
      this.#unwritten = []
      for (const [index, outcome] of outcomes.entries()) this.#tellLoss(all[index]!, outcome)
      return outcomes.slice(before.length)
    })
  }

  recordEach(
    events: readonly AgentEvent[],
    now: number,
    { isLast = false, onLost }: RecordOptions,
  ): Promise<readonly RowOutcome[]> {
    this.#onLost = onLost ?? this.#onLost
    const deltas = this.#takeBefore(events)
    return this.#enqueue(async () => {
      await this.#writeDeltas(deltas)
      const outcomes: RowOutcome[] = []
      for (const row of rowsOf(events, now, isLast)) outcomes.push(await this.#write(row))
      return outcomes
    })
  }

  /** What was lost is not told in the log. */
  get owes(): boolean {
    return this.#writer.owes
  }

  /** Has written what waits and what is owed. With `isOver` also halves of characters whose other halves never came. */
  async flush(isOver: boolean = false): Promise<void> {
    await this.#tail
    await this.#flush(() => isOver)
    await this.#enqueue(() => this.#writer.settle())
  }

  /** What is written before the next row or with it, once it is known what is stored. */
  owed(): Promise<readonly AgentEvent[]> {
    return this.#enqueue(async () => {
      const waiting = [...this.#unwritten.map(({ event }) => event), ...this.#pending.waiting]
      return [...(await this.#writer.owed()), ...waiting]
    })
  }

  /** Forgets what waits. */
  discard(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.#pendingSince = undefined
    this.#pending.take(() => true)
    this.#unwritten = []
    this.#skipped = undefined
  }

  #recordDelta(delta: AgentDelta, now: number): Promise<RecordOutcome> {
    const { standing } = this.#writer
    if (standing?.isFinished === true) return Promise.reject(new AgentEventLogSealedError(this.#runId))
    const { length } = this.#pending
    // What waits exceeds the cap already, and will leave the marker.
    const isOver = length > 0 && (standing?.bytes ?? 0) + length > this.#context.limits.capBytes
    if (isOver || standing?.truncated === true) return dropped
    this.#pending.add(copyOfDelta(delta))
    this.#pendingSince ??= now
    if (this.#pending.length >= maxWaitLength || now - this.#pendingSince >= maxWaitMs) {
      const stream = agentStreamOf(delta)
      return this.#flush().then((outcomes) => outcomes.get(stream) ?? { outcome: 'buffered' })
    }
    this.#cancelTimer ??= this.#context.startTimer(() => {
      this.#cancelTimer = undefined
      // Who records next is told that the log has ended.
      this.#flush().catch(() => {})
    }, maxWaitMs)
    if (standing !== undefined) return buffered
    return (this.#check ??= this.#enqueue(() => this.#checkOpen()).finally(() => (this.#check = undefined)))
  }

  async #recordWhole(event: AgentEvent, now: number, isLast: boolean): Promise<RecordOutcome> {
    const row = rowOf(copyOfEvent(event), now, isLast)
    if (this.isFinished) throw new AgentEventLogSealedError(this.#runId)
    if (this.#queued >= this.#context.maxQueued && !isOwedOnceLost(row.event) && row.finishedAt === undefined) {
      const error = new AgentEventQueueFullError(this.#runId, this.#queued)
      this.#skipped ??= new AgentEventLosses()
      this.#skipped.lose(row.event, error)
      this.#onLost?.(row.event)
      return { outcome: 'lost', error }
    }
    const deltas = this.#take((delta) => endsAgentStream(row.event, delta))
    return this.#enqueue(async () => {
      await this.#writeDeltas(deltas)
      return this.#write(row)
    })
  }

  /** Whether a delta may wait here. That the store cannot be read shows when it is to be written. */
  async #checkOpen(): Promise<RecordOutcome> {
    try {
      const { isFinished, truncated } = await this.#writer.locate()
      if (isFinished) throw new AgentEventLogSealedError(this.#runId)
      return truncated ? dropped : buffered
    } catch (error) {
      if (isEnd(error)) throw error
      return buffered
    }
  }

  /** While other work waits, deltas are left to be joined: no more of them wait than the cap lets through. */
  #flush(isOver?: (delta: AgentDelta) => boolean): Promise<Flushed> {
    const flush = (): Promise<Flushed> => {
      const deltas = this.#take(isOver)
      return this.#enqueue(() => this.#writeDeltas(deltas))
    }
    if (this.#queued === 0) return flush()
    return (this.#nextFlush ??= this.#tail.then(() => {
      this.#nextFlush = undefined
      return flush()
    }))
  }

  #takeBefore(events: readonly AgentEvent[]): readonly LogRow[] {
    return this.#take((delta) => events.some((event) => endsAgentStream(event, delta)))
  }

  #take(isOver?: (delta: AgentDelta) => boolean): readonly LogRow[] {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.#pendingSince = undefined
    return this.#pending.take(isOver).map((event) => ({ event, isDelta: true }))
  }

  async #writeDeltas(deltas: readonly LogRow[]): Promise<Flushed> {
    const outcomes = new Map<string, RowOutcome>()
    const rows = [...this.#unwritten, ...deltas]
    this.#unwritten = []
    for (const row of rows) outcomes.set(agentStreamOf(row.event as AgentDelta), await this.#write(row))
    return outcomes
  }

  async #write(row: LogRow): Promise<RowOutcome> {
    const outcome = await this.#writer.write(row)
    this.#tellLoss(row, outcome)
    return outcome
  }

  #tellLoss({ event }: LogRow, { outcome }: RowOutcome): void {
    if (outcome === 'lost') this.#onLost?.(event)
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    this.#queued++
    const skipped = this.#skipped
    this.#skipped = undefined
    const done = this.#tail.then(() => {
      if (skipped !== undefined) this.#writer.absorb(skipped)
      return work()
    })
    const settle = (): void => {
      this.#queued--
      if (this.isIdle) this.#context.onIdle(this.#runId, this)
    }
    this.#tail = done.then(settle, (error) => {
      if (isEnd(error)) this.discard()
      settle()
    })
    return done
  }
}
