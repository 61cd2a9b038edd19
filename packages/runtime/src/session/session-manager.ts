import {
  InvalidInputError,
  ManagerClosedError,
  type Page,
  type RequestCursor,
  type RequestRecord,
  type SearchHit,
  type SearchQuery,
  type SessionCursor,
  type SessionFilter,
  type SessionRecord,
  type SessionRevision,
  type SessionScope,
  transcriptFromEvents,
  type TranscriptTurn,
  type UpdateSessionRequest,
} from '@daybook/core'
import type { SessionEvent } from '@daybook/core/events'
import type { InvocationRecord } from '@daybook/core/runtime-invocation'
import type { AgentEventSubscription } from '../agent-event-log/subscription.ts'
import { type BranchOverrides, type BranchPoint, branchSession } from '../branch/branch-session.ts'
import { inheritedEvents } from '../branch/inherited-events.ts'
import { type TranscriptCursor, transcriptPage, type TranscriptQuery } from '../branch/transcript-page.ts'
import { checkIds, checkOptions } from '../check-arguments.ts'
import { recover } from '../recovery/recover.ts'
import type { RecoverOptions, RecoveryReport } from '../recovery/recovery-report.ts'
import { scheduleRecovery } from '../recovery/recovery-schedule.ts'
import { type AnsweredRequests, answerRequests, type AnswerRequestsInput } from '../request/answer-requests.ts'
import { continueTurn } from '../request/continue-turn.ts'
import { AttachedTurn, type OnLeave } from '../turn/attached-turn.ts'
import { beginTurn } from '../turn/begin-turn.ts'
import type { LiveTurn } from '../turn/live-turn.ts'
import { openTurn } from '../turn/open-turn.ts'
import type { GoOnInput } from '../turn/go-on.ts'
import { retryTurn } from '../turn/retry-turn.ts'
import { type StartedTurn, startInvocation } from '../turn/start-turn.ts'
import type { TurnMessage } from '../turn/turn-message.ts'
import type { TurnOutcome } from '../turn/turn-outcome.ts'
import { checkWatch, type Watch } from '../turn/watch-events.ts'
import { type CreateSessionInput, sessionFromInput } from './create-session.ts'
import { findSession } from './find-session.ts'
import { type FollowOptions, followRun } from './follow-run.ts'
import { removeSession, type RemoveSessionOptions } from './remove-session.ts'
import { type RuntimeContext, runtimeContext, type SessionManagerOptions } from './runtime-context.ts'
import { stopSession } from './stop-session.ts'

const noTenant: SessionScope = { tenant: null }

/**
 * Sessions whose turns are answered by backends and recorded in the ledger.
 *
 * Every call takes the scope of its caller, by default the sessions without a tenant. A session that is not in it is not
 * found: `SessionNotFoundError`.
 */
export class SessionManager {
  readonly #context: RuntimeContext
  readonly #stopRecovery: () => Promise<void>
  #closing: Promise<void> | undefined

  /** Throws `MixedStoragesError` when the stores do not come from one storage, and `InvalidInputError`. */
  constructor(options: SessionManagerOptions) {
    this.#context = runtimeContext(options)
    const recoverUntil = (signal: AbortSignal): Promise<RecoveryReport> => this.recover({ signal })
    this.#stopRecovery = scheduleRecovery(options.recovery ?? {}, { ...this.#context, recover: recoverUntil })
  }

  /**
   * Throws `UnknownBackendError`, `InvalidInputError`, `InvalidIdError`, `NotCanonicalError`, `SessionExistsError`, and
   * `ManagerClosedError` after `close`.
   */
  async createSession(input: CreateSessionInput = {}): Promise<SessionRecord> {
    this.#refuseClosed()
    const { registry, store, newId, now } = this.#context
    checkOptions({ input })
    const session = sessionFromInput(input, newId(), now())
    registry.check(session.backendKind)
    return store.create(session)
  }

  /** Undefined when there is none in the scope. */
  async readSession(sessionId: string, scope: SessionScope = noTenant): Promise<SessionRecord | undefined> {
    checkIds({ sessionId })
    return this.#context.store.read(sessionId, scope)
  }

  /** Newest first, 100 unless told, at most 1000; those that are not archived unless the filter says more. */
  async listSessions(
    query: { readonly filter?: SessionFilter; readonly limit?: number; readonly after?: SessionCursor } = {},
    scope: SessionScope = noTenant,
  ): Promise<Page<SessionRecord, SessionCursor>> {
    checkOptions({ query })
    return this.#context.store.list({ ...query, scope })
  }

  /** The sessions that branch off this one, archived ones too, newest first. Throws `SessionNotFoundError`. */
  async listBranches(
    sessionId: string,
    query: { readonly limit?: number; readonly after?: SessionCursor } = {},
    scope: SessionScope = noTenant,
  ): Promise<Page<SessionRecord, SessionCursor>> {
    checkOptions({ query })
    await findSession(this.#context.store, sessionId, scope)
    return this.#context.store.list({ ...query, filter: { parentSessionId: sessionId, archived: 'any' }, scope })
  }

  /** Titles first, then what was said, newest first. Finds what was committed before the call. */
  async searchSessions(
    query: Omit<SearchQuery, 'scope'>,
    scope: SessionScope = noTenant,
  ): Promise<Page<SearchHit, string>> {
    checkOptions({ query })
    return this.#context.store.search({ ...query, scope })
  }

  /**
   * Changes the session and records the change as its next revision; what runs then keeps the revision that its opening
   * names. Throws `SessionNotFoundError`, `RevisionConflictError`, `InvalidInputError`.
   */
  async updateSession(
    sessionId: string,
    update: Omit<UpdateSessionRequest, 'sessionId' | 'scope'>,
    scope: SessionScope = noTenant,
  ): Promise<SessionRecord> {
    checkIds({ sessionId })
    checkOptions({ update })
    return this.#context.store.update({ ...update, sessionId, scope })
  }

  /** What the session was, by revision, 100 unless told. Throws `SessionNotFoundError`. */
  async listSessionRevisions(
    sessionId: string,
    query: { readonly after?: number; readonly limit?: number } = {},
    scope: SessionScope = noTenant,
  ): Promise<Page<SessionRevision, number>> {
    checkIds({ sessionId })
    checkOptions({ query })
    return this.#context.store.listRevisions(sessionId, scope, query)
  }

  /**
   * Makes a session that shows this one up to a turn, by reference, and goes on by itself. It has the settings of this one
   * where `overrides` has no others; its parent is the session that has the last turn that it shows.
   * Throws `TurnNotFoundError`, `SessionBusyError` after a turn that runs, and as `createSession`.
   */
  async branchSession(
    sessionId: string,
    point: BranchPoint,
    overrides: BranchOverrides = {},
    scope: SessionScope = noTenant,
  ): Promise<SessionRecord> {
    this.#refuseClosed()
    checkOptions({ point, overrides })
    return branchSession(sessionId, point, overrides, scope, this.#context)
  }

  /**
   * Removes the session with all that was recorded of it; false when there is none in the scope.
   * Throws `SessionBusyError` while a turn is answered, and `SessionHasBranchesError` unless `branches` is `remove`.
   */
  async removeSession(
    sessionId: string,
    options: RemoveSessionOptions = {},
    scope: SessionScope = noTenant,
  ): Promise<boolean> {
    checkIds({ sessionId })
    checkOptions({ options })
    return removeSession(sessionId, options, scope, this.#context)
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
    // What is no message is refused with the rest of the input, by `openTurn`.
    const { onLeave = 'stop' } = (message as typeof message | undefined) ?? {}
    const open = async (): Promise<LiveTurn> => {
      if (onLeave !== 'stop' && onLeave !== 'detach') throw new InvalidInputError('onLeave', 'must be stop or detach')
      const turn = this.#context.liveTurns.add(sessionId)
      await beginTurn(turn, () => openTurn(sessionId, message, scope, this.#context), this.#context)
      return turn
    }
    return new AttachedTurn(open, onLeave)
  }

  /**
   * Sends a message and lets the turn run by itself. Resolves once the run and the user's text are in the ledger;
   * rejects as the first `next` of `sendMessage` does.
   */
  async startTurn(
    sessionId: string,
    message: TurnMessage & { readonly watch?: Watch },
    scope: SessionScope = noTenant,
  ): Promise<StartedTurn> {
    const watch = checkWatch((message as typeof message | undefined)?.watch)
    const open = () => openTurn(sessionId, message, scope, this.#context)
    return startInvocation(sessionId, watch, open, this.#context)
  }

  /**
   * Tries the newest turn again, whatever became of it, with the same text and the settings of now: the transcript shows the
   * new attempt only. Throws `TurnNotNewestError`, `TurnNotFoundError`, `NothingToContinueError` where there is no turn,
   * `SessionBusyError`, and as `startTurn`.
   */
  async retryTurn(sessionId: string, input: GoOnInput = {}, scope: SessionScope = noTenant): Promise<StartedTurn> {
    checkOptions({ input })
    return retryTurn(sessionId, input, scope, this.#context)
  }

  /**
   * Goes on with the newest turn: one that waits and has all its answers, where what expired counts as denied; or one that a
   * crash, a failing storage or a stop interrupted, as its backend can (`capabilities.resume`). Throws
   * `NothingToContinueError`, `UnsupportedError` where the backend cannot, and as `retryTurn`.
   */
  async continueTurn(sessionId: string, input: GoOnInput = {}, scope: SessionScope = noTenant): Promise<StartedTurn> {
    checkOptions({ input })
    return continueTurn(sessionId, input, scope, this.#context)
  }

  /**
   * Answers what a turn asked, from any process; resolves once the answers are durable. What has all its answers goes on: in
   * the process that drives it, else here.
   * Throws `RequestNotFoundError`, `RequestClosedError`, `RequestChangedError`, `RequestExpiredError`, and
   * `InvalidInputError` for answers that are no answers or belong to two turns; nothing is taken then.
   */
  async answerRequests(
    sessionId: string,
    input: AnswerRequestsInput,
    scope: SessionScope = noTenant,
  ): Promise<AnsweredRequests> {
    this.#refuseClosed()
    checkOptions({ input })
    return answerRequests(sessionId, input, scope, this.#context)
  }

  /** What can be answered now, of one session or of all in the scope, oldest first, 100 unless told. */
  async listOpenRequests(
    query: { readonly sessionId?: string; readonly limit?: number; readonly after?: RequestCursor } = {},
    scope: SessionScope = noTenant,
  ): Promise<Page<RequestRecord, RequestCursor>> {
    checkOptions({ query })
    if (query.sessionId !== undefined) checkIds({ sessionId: query.sessionId })
    return this.#context.runtimeEventStore.listOpenRequests({ ...query, scope })
  }

  /** What was asked under this id, whatever became of it. Undefined where nothing was, or not in the scope. */
  async readRequest(
    sessionId: string,
    requestId: string,
    scope: SessionScope = noTenant,
  ): Promise<RequestRecord | undefined> {
    checkIds({ sessionId, requestId })
    return this.#context.runtimeEventStore.readRequest(sessionId, requestId, scope)
  }

  /**
   * Stops the turn that is answered, in whatever process, and resolves once its terminal event is durable, to how it ended;
   * to undefined when no turn is answered. A turn that waits ends as aborted: what it asked is closed. Where another process
   * answers, the request is stored for it; when that is dead, or gives no sign of life until its lease expires, the turn is
   * ended here, as failed.
   * Rejects with what the store throws, and with `StopPendingError` when another process has not ended the turn within
   * `stopWaitMs`: the request stays.
   */
  async stopSession(sessionId: string, scope: SessionScope = noTenant): Promise<TurnOutcome | undefined> {
    return stopSession(sessionId, scope, this.#context)
  }

  /**
   * Ends the turns of all sessions that nobody drives any more, each as failed with `app_restarted`: those whose process is
   * provably dead, and those whose lease has expired. Then closes what waiting turns asked and nobody answered in time.
   * Costs what the unfinished turns cost, not what history does. Any number of processes may do it at once: each turn is
   * ended once. Rejects with `ManagerClosedError` after `close`, with
   * `InvalidInputError` for `limit`, and with what the store throws when it cannot tell which turns are unfinished.
   */
  async recover(options: RecoverOptions = {}): Promise<RecoveryReport> {
    this.#refuseClosed()
    checkOptions({ options })
    return recover(options, this.#context)
  }

  /**
   * Follows a run, in whichever process it is driven, from its acceptance until a day after its end: AG-UI events, from
   * after a seq on. Throws `RunNotFoundError` where there is none in the scope, `InvalidInputError` for what is no seq, and
   * `UnsupportedError` without `agentEventStore`.
   */
  async follow(
    runId: string,
    options: FollowOptions = {},
    scope: SessionScope = noTenant,
  ): Promise<AgentEventSubscription> {
    this.#refuseClosed()
    checkIds({ runId })
    checkOptions({ options })
    return followRun(runId, options, scope, this.#context)
  }

  /** All invocations, oldest first. */
  async listInvocations(sessionId: string, scope: SessionScope = noTenant): Promise<InvocationRecord[]> {
    await findSession(this.#context.store, sessionId, scope)
    return this.#context.runtimeEventStore.listSessionInvocations(sessionId)
  }

  /** What a person reads of the session, oldest turn first; of a branch what it shows of its parents, too. */
  async transcript(sessionId: string, scope: SessionScope = noTenant): Promise<TranscriptTurn[]> {
    const session = await findSession(this.#context.store, sessionId, scope)
    const inherited = await inheritedEvents(session, this.#context)
    return transcriptFromEvents(await this.#context.runtimeEventStore.readSessionRuntimeEvents(sessionId), inherited)
  }

  /** The same from the newest turn on, page by page: reads the turns that it shows, through parents too. */
  async transcriptPage(
    sessionId: string,
    query: TranscriptQuery = {},
    scope: SessionScope = noTenant,
  ): Promise<Page<TranscriptTurn, TranscriptCursor>> {
    checkOptions({ query })
    return transcriptPage(sessionId, query, scope, this.#context)
  }

  /**
   * Stops recovering and the turns that this process answers, waits for their terminal events and disposes of the backends.
   * New turns and sessions are refused with `ManagerClosedError`; who follows runs here is aborted; reading goes on, and the stores stay open: who opened them
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
      await this.#context.liveTurns.close()
    } finally {
      await this.#context.agentEvents?.log.close()
      await this.#context.backends.close()
    }
  }
}
