import {
  type AgentEvent,
  agentEventsOf,
  agentEventsOfStart,
  type AgentEventHeader,
  type AgentEventStore,
  type Clock,
  gapMarker,
  type NewAgentEventRow,
  type RequestRecord,
  setRequestExpiry,
  type ToldRun,
  trackAgentEvent,
  trackLostEvent,
  untoldRun,
} from '@daybook/core'
import type { RequestWait } from '@daybook/core/canonical-runtime-event'
import type { SessionEvent } from '@daybook/core/events'
import type { AgentEventLog } from '../agent-event-log/agent-event-log.ts'
import { isEnd } from '../agent-event-log/log-writer.ts'
import { readStoredLog } from './stored-log.ts'
import { faultOf, isAboutLog } from './write.ts'

/** Where turns write their delivery logs. */
export interface DeliveryLogs {
  readonly store: AgentEventStore
  readonly log: AgentEventLog
}

export interface TurnLogContext extends DeliveryLogs {
  readonly now: Clock
  readonly warn: (message: string, cause?: unknown) => void
}

/** Writes facts, with these rows of the run's log where there are any. Throws where nothing was written. */
export type WriteFacts = (rows: readonly NewAgentEventRow[]) => Promise<void>

/** The delivery log of a run, for the process that drives it. What fails of it never fails the turn. */
export class TurnLog {
  readonly #header: AgentEventHeader
  readonly #context: TurnLogContext
  /** Undefined where that is to be read from the log, because a write has failed. */
  #told: ToldRun | undefined
  #isOff = false
  /** What comes does not follow what was told before. */
  readonly #onLost = (event: AgentEvent): void => {
    if (this.#told !== undefined) trackLostEvent(this.#told, event)
  }
  #wait: RequestWait | undefined

  constructor(header: AgentEventHeader, context: TurnLogContext) {
    this.#header = header
    this.#context = context
    this.#told = untoldRun(header)
  }

  /** The rows that the log begins with: the run's start, and what is told with it. */
  openingRows(decided: readonly SessionEvent[]): readonly NewAgentEventRow[] {
    const told = this.#told!
    const events = [
      ...agentEventsOfStart(told, this.#header.openedAt),
      ...decided.flatMap((one) => agentEventsOf(told, one)),
    ]
    return events.map((event, index) => ({ seq: index + 1, event }))
  }

  /** How the backend gets the answers to what it asks. */
  set wait(wait: RequestWait | undefined) {
    if (wait === this.#wait) return
    this.#wait = wait
    this.#told &&= { ...this.#told, run: { ...this.#header, wait } }
  }

  /** Has the end of the run say until when the requests can be answered that it waits for. */
  async setExpiries(listRequests: () => Promise<readonly RequestRecord[]>): Promise<void> {
    const told = await this.#toldNow()
    if (told === undefined) return
    try {
      for (const { requestId, expiresAt } of await listRequests()) {
        if (expiresAt !== null) setRequestExpiry(told, requestId, expiresAt)
      }
    } catch (error) {
      const { runId } = this.#header
      this.#context.warn(`who follows run "${runId}" is not told until when it waits for answers`, error)
    }
  }

  /** Tells an event that has no fact. */
  async show(event: SessionEvent): Promise<void> {
    const told = await this.#toldNow()
    if (told === undefined) return
    const { log, now } = this.#context
    for (const agentEvent of agentEventsOf(told, event)) {
      try {
        await log.record(this.#header.runId, agentEvent, now(), { onLost: this.#onLost })
      } catch (error) {
        this.#fail(error)
      }
    }
  }

  /**
   * Tells events whose facts `write` writes, in one transaction. Where that cannot be and the facts can be written alone,
   * what is told is written after them, or is missing. Throws what `writeFacts` throws of the facts.
   */
  async showWith(events: readonly SessionEvent[], isLast: boolean, writeFacts: WriteFacts): Promise<void> {
    const told = await this.#toldNow()
    if (told === undefined) return writeFacts([])
    const { log, now } = this.#context
    const { runId } = this.#header
    const agentEvents = events.flatMap((event) => agentEventsOf(told, event))
    const options = { isLast, onLost: this.#onLost }
    let isRefused = false
    let isAboutFacts = false
    const write: WriteFacts = async (rows) => {
      try {
        await writeFacts(rows)
      } catch (error) {
        isAboutFacts = !isAboutLog(error)
        throw error
      }
    }
    try {
      try {
        await log.recordWith(runId, agentEvents, now(), write, options)
        return
      } catch (error) {
        if (isAboutFacts) throw error
        isRefused = true
        await write([])
      }
    } catch (error) {
      this.#told = undefined
      // The facts may be written nevertheless, and then the rows of them are missing.
      if (isRefused && faultOf(error) === 'store') await this.#tellGap(agentEvents.length)
      throw error
    }
    try {
      await log.recordEach(runId, agentEvents, now(), options)
    } catch (error) {
      this.#fail(error)
    }
  }

  async #tellGap(dropped: number): Promise<void> {
    const { log, now } = this.#context
    const gap = gapMarker({ reason: 'store_failed', dropped })
    await log.recordEach(this.#header.runId, [gap], now()).catch((error: unknown) => this.#fail(error))
  }

  async #toldNow(): Promise<ToldRun | undefined> {
    if (this.#isOff || this.#told !== undefined) return this.#told
    const { log, store } = this.#context
    const { runId } = this.#header
    try {
      await log.flush(runId)
      const stored = await readStoredLog(store, runId)
      if (stored === undefined) this.#turnOff()
      else {
        for (const event of await log.owed(runId)) trackAgentEvent(stored.told, event)
        this.#told = { ...stored.told, run: { ...this.#header, wait: this.#wait } }
      }
    } catch (error) {
      this.#turnOff(error)
    }
    return this.#told
  }

  #fail(error: unknown): void {
    if (isEnd(error)) return this.#turnOff(error)
    this.#context.warn(`an event of run "${this.#header.runId}" cannot be shown to who follows it`, error)
  }

  #turnOff(error?: unknown): void {
    if (this.#isOff) return
    this.#isOff = true
    this.#told = undefined
    this.#context.warn(`run "${this.#header.runId}" goes on without its delivery log`, error)
  }
}
