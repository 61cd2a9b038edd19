import {
  type InvocationEffect,
  type InvocationInput,
  type LiveInvocationState,
  nextInvocationStep,
} from '@daybook/core'
import type { SessionEvent } from '@daybook/core/events'
import type { StartTimer } from '../timing/timer.ts'
import { Handoff } from './handoff.ts'
import type { TurnOutcome } from './turn-outcome.ts'

/** What can stop a turn from outside. */
export type StopInput = Extract<InvocationInput, 'stop_requested' | 'consumer_left' | 'manager_closed'>

/** What the terminal event of a stopped turn names. */
const abortSources: Readonly<Record<StopInput, string>> = {
  stop_requested: 'user',
  consumer_left: 'consumer_left',
  manager_closed: 'manager_closed',
}

/** How long a backend may take to end after a stop. */
export interface Grace {
  readonly ms: number
  readonly startTimer: StartTimer
}

/** What `LiveTurn.unlessTimedOut` resolves to when a stopped backend did not end in the time it is given. */
export const timedOut: unique symbol = Symbol('timed out')

/** A turn that this process opens or drives: where it stands, and how a consumer and a stop reach it. */
export class LiveTurn {
  readonly sessionId: string
  readonly events: Handoff<SessionEvent> = new Handoff()
  /** Resolves when the turn is over; to undefined when it was never opened. */
  readonly over: Promise<TurnOutcome | undefined>
  readonly finish: (outcome: TurnOutcome | undefined) => void
  readonly #grace: Grace
  readonly #abort = new AbortController()
  #state: LiveInvocationState = 'absent'
  #stop: StopInput | undefined
  #askBackend: ((reason: string) => void) | undefined
  #cancelTimer: (() => void) | undefined
  #isTimeUp = false
  #onTimeUp: (() => void) | undefined

  constructor(sessionId: string, grace: Grace, onOver: () => void) {
    this.sessionId = sessionId
    this.#grace = grace
    const { promise, resolve } = Promise.withResolvers<TurnOutcome | undefined>()
    this.over = promise
    this.finish = (outcome) => {
      this.#cancelTimer?.()
      onOver()
      resolve(outcome)
    }
  }

  /** As `over`, but rejects with what the store threw where the terminal event could not be written. */
  async ended(): Promise<TurnOutcome | undefined> {
    const outcome = await this.over
    if (outcome?.state === 'running') throw outcome.error
    return outcome
  }

  get abortSignal(): AbortSignal {
    return this.#abort.signal
  }

  /** Who stopped it; undefined while nobody did. */
  get abortSource(): string | undefined {
    return this.#stop && abortSources[this.#stop]
  }

  /** Moves on as the state table says, and tells what is to be done. */
  step(input: InvocationInput): InvocationEffect {
    const { state, effect } = nextInvocationStep(this.#state, input)
    this.#state = state
    return effect
  }

  /** The run is in the ledger. A stop that was asked for before takes effect now. */
  opened(): void {
    this.step('send')
    if (this.#stop !== undefined) this.stop(this.#stop)
  }

  /** Asks the backend to end soon, once; the first who stops a turn is named in its terminal event. */
  stop(input: StopInput): void {
    this.#stop ??= input
    if (this.step(input) !== 'signal_backend') return
    this.events.release()
    this.#cancelTimer = this.#grace.startTimer(() => this.#timeUp(), this.#grace.ms)
    this.signalBackend(abortSources[input])
  }

  /** Aborts the signal and calls the backend's `stop`; both once. */
  signalBackend(reason: string): void {
    if (this.#abort.signal.aborted) return
    this.#abort.abort()
    this.#askBackend?.(reason)
  }

  /** Who is to be asked, by `stop`, from now on. */
  attach(askBackend: (reason: string) => void): void {
    this.#askBackend = askBackend
  }

  /** Waits for the backend's work, after a stop no longer than the grace. */
  unlessTimedOut<T>(work: Promise<T>): Promise<T | typeof timedOut> {
    return new Promise((resolve, reject) => {
      this.#onTimeUp = () => resolve(timedOut)
      work.then(resolve, reject)
      if (this.#isTimeUp) resolve(timedOut)
    })
  }

  #timeUp(): void {
    this.#isTimeUp = true
    this.#onTimeUp?.()
  }
}
