import {
  type InvocationEffect,
  type InvocationInput,
  type LiveInvocationState,
  nextInvocationStep,
  type RequestRecord,
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

/** Why the backend is waited for no longer: it did not end in the time that it had after a stop, or the run is lost. */
export class CutShort {
  /** Why the run is another's; undefined after a stop. */
  readonly lostBy: unknown

  constructor(lostBy?: unknown) {
    this.lostBy = lostBy
  }
}

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
  #stoppedBy: string | undefined
  #askBackend: ((reason: string) => void) | undefined
  #onSettled: ((request: RequestRecord) => void) | undefined
  /** Ids of the requests that the backend waits for with its invocation open. */
  readonly #awaited = new Set<string>()
  #cancelTimer: (() => void) | undefined
  #cutShort: CutShort | undefined
  #onCutShort: ((cut: CutShort) => void) | undefined

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
    return this.#stoppedBy
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
  stop(input: StopInput, by: string = abortSources[input]): void {
    this.#stop ??= input
    this.#stoppedBy ??= by
    if (this.step(input) !== 'signal_backend') return
    this.events.release()
    this.#cancelTimer = this.#grace.startTimer(() => this.#cut(new CutShort()), this.#grace.ms)
    this.signalBackend(this.#stoppedBy)
  }

  /** Another process has the run: the backend is stopped, and not waited for. `error` says so. */
  giveUp(error: unknown): void {
    this.events.release()
    this.signalBackend('owner_replaced')
    this.#cut(new CutShort(error))
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

  /** Who is to be told, once each, of requests that the backend waits for and that need no answer any more. */
  passAnswersTo(onSettled: (request: RequestRecord) => void): void {
    this.#onSettled = onSettled
  }

  /** The backend waits for the answer to a request. */
  awaits(requestId: string): void {
    this.#awaited.add(requestId)
  }

  get awaited(): Pick<RequestRecord, 'sessionId' | 'requestId'>[] {
    return Array.from(this.#awaited, (requestId) => ({ sessionId: this.sessionId, requestId }))
  }

  /** The backend waits for the answer no more. */
  waitsNoMore(requestId: string): void {
    this.#awaited.delete(requestId)
  }

  /** A request has its answer, or has expired. Of what the backend does not wait for nothing follows. */
  settled(request: RequestRecord): void {
    if (this.#awaited.delete(request.requestId)) this.#onSettled?.(request)
  }

  /** Waits for the backend's work, after a stop no longer than the grace, and not at all once the run is lost. */
  unlessCutShort<T>(work: Promise<T>): Promise<T | CutShort> {
    return new Promise((resolve, reject) => {
      this.#onCutShort = resolve
      work.then(resolve, reject)
      if (this.#cutShort !== undefined) resolve(this.#cutShort)
    })
  }

  #cut(cut: CutShort): void {
    this.#cutShort ??= cut
    this.#onCutShort?.(this.#cutShort)
  }
}
