import {
  InvalidInputError,
  ManagerClosedError,
  type Page,
  type SessionCursor,
  type SessionRecord,
  type SessionScope,
  transcriptFromEvents,
  type TranscriptTurn,
} from '@daybook/core'
import type { SessionEvent } from '@daybook/core/events'
import type { InvocationRecord } from '@daybook/core/runtime-invocation'
import { type RecoverOptions, recoverRuns, type RecoveryReport } from '../recovery/recover-runs.ts'
import { scheduleRecovery } from '../recovery/recovery-schedule.ts'
import { AttachedTurn, type OnLeave } from '../turn/attached-turn.ts'
import { beginTurn } from '../turn/begin-turn.ts'
import type { LiveTurn } from '../turn/live-turn.ts'
import { LiveTurns } from '../turn/live-turns.ts'
import type { TurnMessage } from '../turn/turn-message.ts'
import type { TurnOutcome } from '../turn/turn-outcome.ts'
import { type CreateSessionInput, sessionFromInput } from './create-session.ts'
import { findSession } from './find-session.ts'
import { type RuntimeContext, runtimeContext, type SessionManagerOptions } from './runtime-context.ts'
import { stopElsewhere } from './stop-elsewhere.ts'

/** A turn that runs by itself. */
export interface StartedTurn {
  readonly turnId: string
  readonly runId: string
  readonly invocationId: string
  /** Resolves when the turn has ended; never rejects. */
  readonly finished: Promise<TurnOutcome>
}

const noTenant: SessionScope = { tenant: null }

/**
 * Sessions whose turns are answered by backends and recorded in the ledger.
 *
 * Every call takes the scope of its caller, by default the sessions without a tenant. A session that is not in it is not
 * found: `SessionNotFoundError`.
 */
export class SessionManager {
  readonly #context: RuntimeContext
  readonly #turns: LiveTurns
  readonly #stopRecovery: () => Promise<void>
  #closing: Promise<void> | undefined

  /** Throws `MixedStoragesError` when the stores do not come from one storage, and `InvalidInputError`. */
  constructor(options: SessionManagerOptions) {
    this.#context = runtimeContext(options)
    this.#turns = new LiveTurns({ ms: this.#context.graceMs, startTimer: this.#context.startTimer })
    const recover = (signal: AbortSignal): Promise<RecoveryReport> => this.recover({ signal })
    this.#stopRecovery = scheduleRecovery(options.recovery ?? {}, { ...this.#context, recover })
  }

  /**
   * Throws `UnknownBackendError`, `InvalidInputError`, `InvalidIdError`, `NotCanonicalError`, `SessionExistsError`, and
   * `ManagerClosedError` after `close`.
   */
  async createSession(input: CreateSessionInput = {}): Promise<SessionRecord> {
    this.#refuseClosed()
    const { registry, store, newId, now } = this.#context
    const session = sessionFromInput(input, newId(), now())
    registry.check(session.backendKind)
    return store.create(session)
  }

  /** Undefined when there is none in the scope. */
  async readSession(sessionId: string, scope: SessionScope = noTenant): Promise<SessionRecord | undefined> {
    return this.#context.store.read(sessionId, scope)
  }

  /** Newest first, 100 unless told, at most 1000. */
  async listSessions(
    query: { readonly limit?: number; readonly after?: SessionCursor } = {},
    scope: SessionScope = noTenant,
  ): Promise<Page<SessionRecord, SessionCursor>> {
    return this.#context.store.list({ ...query, scope })
  }

  /**
   * Removes the session with all that was recorded of it; false when there is none in the scope.
   * Throws `SessionBusyError` while a turn is answered.
   */
  async removeSession(sessionId: string, scope: SessionScope = noTenant): Promise<boolean> {
    const { store, recovery, backends } = this.#context
    const isRemoved = await recovery.unlessBusy(sessionId, () => store.remove(sessionId, scope))
    if (isRemoved) await backends.remove(sessionId)
    return isRemoved
  }

  /**
   * Sends a message and gives what the backend says, each event once its fact is committed; text deltas, which are no
   * facts, are the exception. A turn that fails gives `error` and `complete`; only what keeps it from being opened, and
   * what the store throws, is thrown.
   *
   * Nothing happens before iteration starts: input errors, `SessionBusyError` and `TurnExistsError` come out of the first
   * `next`. The backend is never more than one event ahead of the iteration. Leaving it stops the turn, and waits for its
   * terminal event, unless `onLeave` is `detach`.
   */
  sendMessage(
    sessionId: string,
    message: TurnMessage & { readonly onLeave?: OnLeave },
    scope: SessionScope = noTenant,
  ): AsyncIterableIterator<SessionEvent, undefined> {
    // What is no message is refused with the rest of the input, by `beginTurn`.
    const { onLeave = 'stop' } = (message as typeof message | undefined) ?? {}
    const open = async (): Promise<LiveTurn> => {
      if (onLeave !== 'stop' && onLeave !== 'detach') throw new InvalidInputError('onLeave', 'must be stop or detach')
      const turn = this.#turns.add(sessionId)
      await beginTurn(turn, message, scope, this.#context)
      return turn
    }
    return new AttachedTurn(open, onLeave)
  }

  /**
   * Sends a message and lets the turn run by itself. Resolves once the run and the user's text are in the ledger;
   * rejects as the first `next` of `sendMessage` does.
   */
  async startTurn(sessionId: string, message: TurnMessage, scope: SessionScope = noTenant): Promise<StartedTurn> {
    const turn = this.#turns.add(sessionId)
    turn.events.leave()
    const { turnId, runId, invocationId } = await beginTurn(turn, message, scope, this.#context)
    return { turnId, runId, invocationId, finished: turn.over as Promise<TurnOutcome> }
  }

  /**
   * Stops the turn that is answered, in whatever process, and resolves once its terminal event is durable, to how it ended;
   * to undefined when no turn is answered. Where another process answers, the request is stored for it; when that is dead,
   * or gives no sign of life until its lease expires, the turn is ended here, as failed.
   * Rejects with what the store throws, and with `StopPendingError` when another process has not ended the turn within
   * `stopWaitMs`: the request stays.
   */
  async stopSession(sessionId: string, scope: SessionScope = noTenant): Promise<TurnOutcome | undefined> {
    await findSession(this.#context.store, sessionId, scope)
    const outcome = await this.#turns.stop(sessionId)
    if (outcome !== undefined) return outcome
    const run = await this.#context.runStore.readActiveRun(sessionId)
    return run && stopElsewhere(run, 'user', this.#context)
  }

  /**
   * Ends the turns of all sessions that nobody drives any more, each as failed with `app_restarted`: those whose process is
   * provably dead, and those whose lease has expired. Costs what the unfinished turns cost, not what history does. Any
   * number of processes may do it at once: each turn is ended once. Rejects with `ManagerClosedError` after `close`, with
   * `InvalidInputError` for `limit`, and with what the store throws when it cannot tell which turns are unfinished.
   */
  async recover(options: RecoverOptions = {}): Promise<RecoveryReport> {
    this.#refuseClosed()
    return recoverRuns(this.#context.runStore, this.#context.recovery, options)
  }

  /** All invocations, oldest first. */
  async listInvocations(sessionId: string, scope: SessionScope = noTenant): Promise<InvocationRecord[]> {
    await findSession(this.#context.store, sessionId, scope)
    return this.#context.runtimeEventStore.listSessionInvocations(sessionId)
  }

  /** What a person reads of the session, oldest turn first. */
  async transcript(sessionId: string, scope: SessionScope = noTenant): Promise<TranscriptTurn[]> {
    await findSession(this.#context.store, sessionId, scope)
    return transcriptFromEvents(await this.#context.runtimeEventStore.readSessionRuntimeEvents(sessionId))
  }

  /**
   * Stops recovering and the turns that this process answers, waits for their terminal events and disposes of the backends.
   * New turns and sessions are refused with `ManagerClosedError`; reading goes on, and the stores stay open: who opened them
   * closes them.
   * Closing again is the same closing. Rejects, at the end, when a terminal event could not be written.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  #refuseClosed(): void {
    if (this.#closing !== undefined) throw new ManagerClosedError()
  }

  async #close(): Promise<void> {
    try {
      await this.#stopRecovery()
      await this.#turns.close()
    } finally {
      await this.#context.backends.close()
    }
  }
}
