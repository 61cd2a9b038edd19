import {
  type AgentEvent,
  type AgentEventLimits,
  AgentEventLogNotOpenError,
  AgentEventLogSealedError,
  AgentEventLosses,
  type AgentEventStore,
  deltaFate,
  encodeAgentEventRow,
  encodeAgentEventRowOnce,
  isTruncationMarker,
  type NewAgentEventRow,
  truncationMarker,
} from '@daybook/core'
import { codeOf } from '../ledger/write.ts'
import type { LogRow } from './log-row.ts'
import type { RowOutcome } from './record-outcome.ts'

/** Stores the rows together with what is the caller's: all of it, or nothing. */
export type CommitRows = (rows: readonly NewAgentEventRow[]) => Promise<void>

export interface LogWriterContext {
  readonly store: AgentEventStore
  /** Makes the id of a write, which no other write ever has. */
  readonly newWriteId: () => string
  readonly limits: AgentEventLimits
  /** Rows of the run are stored. */
  readonly onStored: (runId: string) => void
}

/** Where a log stands. */
interface Standing {
  readonly lastSeq: number
  readonly bytes: number
  readonly truncated: boolean
  readonly isFinished: boolean
}

/** A write that may have been kept or not. */
interface UncertainWrite {
  readonly rows: readonly NewAgentEventRow[]
  /** What is lost by the losses before it, if it was kept. */
  readonly refused: ReadonlyMap<AgentEvent, RowOutcome & { readonly outcome: 'lost' }>
  /** What of all that was given up since. */
  readonly lost: Set<AgentEvent>
}

/** So often a write is tried, unless it fails because another writer was first: then it is not known to fail at all. */
const maxAttempts = 2

/** Writes the rows of one run, one call at a time; other processes may do so too. */
export class LogWriter {
  readonly #runId: string
  readonly #context: LogWriterContext
  readonly #truncation: AgentEvent
  readonly #writeIds = new WeakMap<AgentEvent, string>()
  /** What became of events whose write had seemed to fail, and was found. */
  readonly #found = new WeakMap<AgentEvent, RowOutcome>()
  #losses: AgentEventLosses = new AgentEventLosses()
  #standing: Standing | undefined
  /** Rows that may be stored or not: the store is to be asked before anything else is written. */
  #uncertain: UncertainWrite | undefined

  constructor(runId: string, context: LogWriterContext) {
    this.#runId = runId
    this.#context = context
    this.#truncation = truncationMarker(context.limits)
  }

  /** Where the log stood when this process last looked or wrote. */
  get standing(): Standing | undefined {
    return this.#standing
  }

  /** All that this process was to write is stored or told. */
  get isIdle(): boolean {
    return this.#uncertain === undefined && (this.#losses.isEmpty || this.#standing?.isFinished === true)
  }

  /** Rows are lost, or ends, of which the log says nothing yet. */
  get owes(): boolean {
    return this.#uncertain !== undefined || this.#losses.before() !== undefined
  }

  /** Counts as lost what never came here. */
  absorb(losses: AgentEventLosses): void {
    this.#losses.absorb(losses)
  }

  /** What is stored before the next row. Throws `AgentEventLogNotOpenError`, and what the store throws. */
  async owed(): Promise<readonly AgentEvent[]> {
    await this.locate()
    return this.#losses.owed
  }

  /** Where the log stands. Throws `AgentEventLogNotOpenError`, and what the store throws. */
  async locate(): Promise<Standing> {
    const uncertain = this.#uncertain
    if (this.#standing !== undefined && uncertain === undefined) return this.#standing
    const { store } = this.#context
    const state = await store.readState(this.#runId)
    if (state === undefined) {
      this.#standing = undefined
      throw new AgentEventLogNotOpenError(this.#runId)
    }
    if (uncertain !== undefined && (await this.#mayBeKept(uncertain, state))) this.#find(uncertain)
    this.#uncertain = undefined
    const { lastSeq, bytes, truncated, header } = state
    return (this.#standing = { lastSeq, bytes, truncated, isFinished: header.finishedAt !== undefined })
  }

  /**
   * Stores the row, and before it what is owed. Throws `AgentEventLogNotOpenError`, `AgentEventLogSealedError`; what the
   * store throws else is in the outcome.
   */
  write(row: LogRow): Promise<RowOutcome> {
    const next = (standing: Standing) => this.#step(row, standing, this.#losses, true)
    return this.#store(next, (error) => this.#giveUp(row, error), row.event)
  }

  /**
   * Stores what is owed, whether or not a row follows; it stays owed where the store does not take it. Throws
   * `AgentEventLogNotOpenError`, `AgentEventLogSealedError`.
   */
  async settle(): Promise<void> {
    if (!this.owes) return
    const next = (standing: Standing) => {
      const owed = this.#losses.before()
      if (owed === undefined) return undefined
      if (standing.isFinished) throw new AgentEventLogSealedError(this.#runId)
      // The run's beginning may be still to come, and no marker stands before it.
      return standing.lastSeq === 0 && owed.type !== 'RUN_STARTED' ? undefined : this.#rowOf(owed, standing, true)
    }
    await this.#store(next, async () => undefined)
  }

  async #store<End extends RowOutcome | undefined>(
    next: (standing: Standing) => NewAgentEventRow | End,
    giveUp: (error: unknown) => Promise<End>,
    last?: AgentEvent,
  ): Promise<End | (RowOutcome & { readonly outcome: 'stored' })> {
    const { store } = this.#context
    for (let [failures, conflictAt] = [0, 0]; ;) {
      let seq = 0
      try {
        const standing = await this.locate()
        const step = next(standing)
        if (!isRow(step)) return step
        seq = step.seq
        await this.#commit({ rows: [step], refused: new Map() }, () => store.append(this.#runId, step))
        this.#standing = standingAfter(step, standing)
        this.#losses.stored(step.event)
        if (step.event === last) return { outcome: 'stored', seq }
        failures = 0
      } catch (error) {
        if (isEnd(error)) throw this.#end(error)
        // A store that says so again of the same seq does not tell the truth.
        if (isConflict(error) && seq !== conflictAt) conflictAt = seq
        else if (++failures === maxAttempts) return giveUp(error)
      }
    }
  }

  /**
   * Has the rows stored by `commit`, with what is owed before them. It may be called again, with other rows, when another
   * writer was first. What it throws else is thrown, and nothing is lost by it. Throws `AgentEventLogNotOpenError`,
   * `AgentEventLogSealedError`.
   */
  async writeWith(rows: readonly LogRow[], commit: CommitRows): Promise<readonly RowOutcome[]> {
    for (let conflictAt = 0; ;) {
      let standing = await this.locate()
      const losses = this.#losses.copy()
      const steps: NewAgentEventRow[] = []
      const refused = new Map<AgentEvent, RowOutcome & { readonly outcome: 'lost' }>()
      const outcomes = rows.map((row) => {
        for (;;) {
          const step = this.#step(row, standing, losses, steps.length === 0)
          if ('outcome' in step) {
            if (step.outcome === 'lost' && !this.#found.has(row.event)) refused.set(row.event, step)
            return step
          }
          steps.push(step)
          standing = standingAfter(step, standing)
          losses.stored(step.event)
          if (step.event === row.event) return { outcome: 'stored', seq: step.seq } as const
        }
      })
      try {
        await this.#commit({ rows: steps, refused }, commit)
        this.#standing = standing
        this.#losses = losses
        return outcomes
      } catch (error) {
        if (isEnd(error)) throw this.#end(error)
        const seq = steps[0]?.seq ?? 0
        if (!isConflict(error) || seq === conflictAt) throw error
        conflictAt = seq
      }
    }
  }

  async #commit(write: Omit<UncertainWrite, 'lost'>, commit: CommitRows): Promise<void> {
    this.#uncertain = { ...write, lost: new Set() }
    await commit(write.rows)
    this.#uncertain = undefined
    this.#context.onStored(this.#runId)
  }

  /** The row to store next on the way to this one, or what became of this one. */
  #step(
    row: LogRow,
    standing: Standing,
    losses: AgentEventLosses,
    beginsWrite: boolean,
  ): NewAgentEventRow | RowOutcome {
    const { event, isDelta, finishedAt } = row
    const found = this.#found.get(event)
    if (found !== undefined) return found
    if (standing.isFinished) throw new AgentEventLogSealedError(this.#runId)
    const refusal = losses.refusal(event)
    if (refusal !== undefined) {
      losses.lose(event, refusal.error)
      return { outcome: 'lost', error: refusal.error }
    }
    const before = losses.before(event)
    if (before !== undefined) return this.#rowOf(before, standing, beginsWrite)
    const step = this.#rowOf(event, standing, beginsWrite, finishedAt)
    const fate = isDelta ? deltaFate(standing, bytesOf(step), this.#context.limits) : 'store'
    if (fate === 'drop') return { outcome: 'dropped' }
    return fate === 'mark' ? this.#rowOf(this.#truncation, standing, beginsWrite) : step
  }

  /** The first row of a write has the id by which that is known again if it was kept, however often it is tried. */
  #rowOf(event: AgentEvent, { lastSeq }: Standing, beginsWrite: boolean, finishedAt?: number): NewAgentEventRow {
    const writeId = beginsWrite && { writeId: this.#writeIdOf(event) }
    const row = { seq: lastSeq + 1, event, ...writeId, ...(finishedAt !== undefined && { finishedAt }) }
    return encodeAgentEventRowOnce(row)
  }

  #writeIdOf(event: AgentEvent): string {
    let writeId = this.#writeIds.get(event)
    if (writeId === undefined) this.#writeIds.set(event, (writeId = this.#context.newWriteId()))
    return writeId
  }

  /** Nothing is owed to a log that has ended. */
  #end(error: unknown): unknown {
    this.#uncertain = undefined
    this.#losses = new AgentEventLosses()
    if (codeOf(error) === 'AGENT_EVENT_LOG_NOT_OPEN') this.#standing = undefined
    return error
  }

  /** The last attempt may have been kept, too. */
  async #giveUp({ event }: LogRow, error: unknown): Promise<RowOutcome> {
    try {
      await this.locate()
    } catch {}
    const found = this.#found.get(event)
    if (found !== undefined) return found
    const { rows = [], refused, lost } = this.#uncertain ?? {}
    if (refused?.has(event) === true || rows.some((row) => row.event === event)) lost?.add(event)
    this.#losses.lose(event, error)
    return { outcome: 'lost', error }
  }

  /** A write that has no rows may have been kept without the log's saying so: then what it left out is to be told as lost. */
  async #mayBeKept({ rows: [first] }: UncertainWrite, { lastSeq }: Pick<Standing, 'lastSeq'>): Promise<boolean> {
    if (first === undefined) return true
    if (lastSeq < first.seq) return false
    return (await this.#context.store.readWriteId(this.#runId, first.seq)) === first.writeId
  }

  #find({ rows, refused, lost }: UncertainWrite): void {
    for (const [event, outcome] of refused) {
      this.#found.set(event, outcome)
      if (!lost.has(event)) this.#losses.lose(event, outcome.error)
    }
    for (const { event, seq } of rows) {
      this.#found.set(event, { outcome: 'stored', seq })
      if (lost.has(event)) this.#losses.found(event)
      else this.#losses.stored(event)
    }
    this.#context.onStored(this.#runId)
  }
}

function isRow(step: NewAgentEventRow | RowOutcome | undefined): step is NewAgentEventRow {
  return step !== undefined && 'event' in step
}

function standingAfter(row: NewAgentEventRow, before: Standing): Standing {
  const { seq, event, finishedAt } = row
  return {
    lastSeq: seq,
    bytes: before.bytes + bytesOf(row),
    truncated: before.truncated || isTruncationMarker(event),
    isFinished: before.isFinished || finishedAt !== undefined,
  }
}

function bytesOf(row: NewAgentEventRow): number {
  return encodeAgentEventRow(row).bytes
}

function isConflict(error: unknown): boolean {
  return codeOf(error) === 'AGENT_EVENT_DUPLICATE_SEQ'
}

/** Whether nothing can be written to the log any more. */
export function isEnd(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'AGENT_EVENT_LOG_NOT_OPEN' || code === 'AGENT_EVENT_LOG_SEALED'
}
