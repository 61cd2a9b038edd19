import type { RequestRecord, SessionRecord } from '@daybook/core'
import type { AgentBackend, BackendSendInput } from '@daybook/core/backend-types'
import type { RequestWait } from '@daybook/core/canonical-runtime-event'
import type { BackendLease } from '../backends/backend-cache.ts'
import { respond } from '../request/respond.ts'
import type { RuntimeContext } from '../session/runtime-context.ts'
import { settlesWithin } from '../timing/settles-within.ts'
import { CutShort, type LiveTurn } from './live-turn.ts'

/** One call of a backend's `send`: pulled one event at a time, and let go of when the turn is over. */
export class BackendSend {
  readonly #turn: LiveTurn
  readonly #session: SessionRecord
  readonly #input: BackendSendInput
  readonly #context: RuntimeContext
  #leasing: Promise<BackendLease> | undefined
  /** While it is at work. */
  #backend: AgentBackend | undefined
  #iterator: AsyncIterator<unknown> | undefined
  /** A stopped backend did not come back in time from what it was asked. */
  #isStuck = false

  constructor(turn: LiveTurn, session: SessionRecord, input: BackendSendInput, context: RuntimeContext) {
    this.#turn = turn
    this.#session = session
    this.#input = input
    this.#context = context
  }

  /**
   * What the backend yields next, whatever it is. The first pull builds the backend where there is none, and calls `send`;
   * after a stop `send` is not called any more, and what has ended or never began is `done`.
   */
  async pull(): Promise<IteratorResult<unknown> | CutShort> {
    const iterator = this.#leasing === undefined ? await this.#start() : this.#iterator
    if (iterator === undefined) return { done: true, value: undefined }
    if (iterator instanceof CutShort) return iterator
    this.#iterator = undefined
    const pulled = await this.#turn.unlessCutShort(Promise.resolve(iterator.next()))
    this.#isStuck = pulled instanceof CutShort
    if (pulled instanceof CutShort || pulled.done !== true) this.#iterator = iterator
    else this.#backend = undefined
    return pulled
  }

  /** How the backend gets the answers to what it asks; undefined before the first pull, and where it does not say. */
  get wait(): RequestWait | undefined {
    return this.#backend?.capabilities?.answers
  }

  /** Gives the backend, while it is at work, the answer that it waits for. Never rejects. */
  async answer(request: RequestRecord): Promise<void> {
    const backend = this.#backend
    if (backend !== undefined) await this.#ask('was given an answer', () => respond(backend, request))
  }

  /** Signals the backend, if it is at work, that nobody will take what it yields. */
  interrupt(): void {
    if (this.#iterator !== undefined) this.#turn.signalBackend('turn_failed')
  }

  /** Lets the session's next turn have the backend once `send` has cleaned up. Never rejects. */
  async letGo(): Promise<void> {
    this.#backend = undefined
    const lease = await this.#leasing
    const returned = this.#ask('was asked to end', async () => this.#iterator?.return?.())
    const { graceMs, startTimer, warn } = this.#context
    if (!this.#isStuck && (await settlesWithin(returned, graceMs, startTimer))) return lease?.release()
    lease?.discard()
    warn(`the backend of session "${this.#session.id}" did not end its turn in time; the next turn gets a new one`)
  }

  async #start(): Promise<AsyncIterator<unknown> | CutShort | undefined> {
    this.#leasing = this.#context.backends.lease(this.#session)
    const { building } = await this.#leasing
    const backend = await this.#turn.unlessCutShort(building)
    this.#isStuck = backend instanceof CutShort
    if (backend instanceof CutShort) return backend
    if (this.#turn.abortSource !== undefined) return undefined
    this.#turn.attach((reason) => void this.#ask('was asked to end', () => backend.stop(reason)))
    this.#backend = backend
    return backend.send(this.#input)[Symbol.asyncIterator]()
  }

  /** Calls the backend outside of its events; when that fails nothing follows from it but a warning. */
  async #ask(what: string, call: () => Promise<unknown>): Promise<void> {
    try {
      await call()
    } catch (error) {
      this.#context.warn(`the backend of session "${this.#session.id}" failed when it ${what}`, error)
    }
  }
}
