import {
  checkRequests,
  InvalidInputError,
  nextInvocationStep,
  RequestNotFoundError,
  type RequestRecord,
  type RunRecord,
  type SessionScope,
  UnsupportedError,
} from '@daybook/core'
import type { AnswerAction } from '@daybook/core/canonical-runtime-event'
import { writeWithRetries } from '../ledger/write.ts'
import { findSession } from '../session/find-session.ts'
import type { RuntimeContext } from '../session/runtime-context.ts'
import { checkProtocolVersion, type DeclaredProtocol } from '../turn/protocol-version.ts'
import { type StartedTurn, startInvocation } from '../turn/start-turn.ts'
import { untilOpened } from '../turn/until-opened.ts'
import { checkWatch, type Watch } from '../turn/watch-events.ts'
import { checkAnswers, type RequestAnswer } from './check-answers.ts'
import { answerEvent, expiredAnswer } from './continuation-events.ts'
import { openGoingOn, recordContinuation } from './open-continuation.ts'
import { openRequestsOf, readPausedTurn } from './paused-turn.ts'

/** `protocolVersion` and `watch` are for the invocation that goes on. */
export interface AnswerRequestsInput extends DeclaredProtocol {
  /** To requests of one turn. All are taken, or none. */
  readonly answers: readonly RequestAnswer[]
  /** Who answers, as the caller names them. */
  readonly by?: string
  /**
   * Whether the turn goes on in this process once nothing of it is open any more, if the session's kind of backend is
   * registered here. Default true; else the answers are recorded, and `continueTurn` goes on.
   */
  readonly continue?: boolean
  readonly watch?: Watch
}

export interface AnsweredRequests {
  /** The requests as they are now, in the order of the answers. */
  readonly requests: readonly RequestRecord[]
  /** What goes on in this process. */
  readonly turn?: StartedTurn
}

export async function answerRequests(
  sessionId: string,
  input: AnswerRequestsInput,
  scope: SessionScope,
  context: RuntimeContext,
): Promise<AnsweredRequests> {
  const answers = checkAnswers(input.answers, input.by)
  const watch = checkWatch(input.watch)
  const { continue: goesOn = true } = input
  if (typeof goesOn !== 'boolean') throw new InvalidInputError('continue', 'must be a boolean')
  const protocolVersion = checkProtocolVersion(input.protocolVersion)
  const read = (): Promise<RequestRecord[]> => readRequests(sessionId, answers, scope, context)
  const going = { goesOn, watch, protocolVersion }
  // Many who answer one turn at once would decide alike, and all but one of them in vain.
  const turn = await context.answering.run(sessionId, () =>
    untilOpened(() => decide(sessionId, answers, going, read, scope, context)),
  )
  return { requests: await read(), ...(turn && { turn }) }
}

interface Going extends DeclaredProtocol {
  readonly goesOn: boolean
  readonly watch: Watch | undefined
}

async function decide(
  sessionId: string,
  answers: readonly AnswerAction[],
  { goesOn, watch, ...declared }: Going,
  read: () => Promise<RequestRecord[]>,
  scope: SessionScope,
  context: RuntimeContext,
): Promise<(() => Promise<StartedTurn | undefined>) | undefined> {
  const { runStore, recovery, registry, runtimeEventStore } = context
  const session = await findSession(context.store, sessionId, scope)
  const requests = await read()
  const [{ turnId, invocationId, requestId }] = requests as [RequestRecord]
  if (requests.some((request) => request.turnId !== turnId)) {
    throw new InvalidInputError('answers', 'are to requests of two turns: answer them one turn at a time')
  }
  checkKinds(requests, answers)
  const asking = await runStore.readRunOfInvocation(invocationId)
  if (asking === undefined) throw new RequestNotFoundError(sessionId, requestId)
  const events = answers.map((answer) => answerEvent(answer, asking, context))
  // Whether they have expired is for the clock of the store to say.
  const given = events.map((event) => ({ event }))
  checkRequests(given, (id) => requests.find((request) => request.requestId === id), -Infinity)

  const run = asking.finishedAt === null ? asking : await newestOf(turnId, asking, context)
  switch (nextInvocationStep(run?.state ?? 'absent', 'answered').effect) {
    case 'deliver':
      if (run !== asking || (await recovery.endIfOrphaned(asking.runId)) !== 'owned') return undefined
      return async () => void (await writeWithRetries(() => runtimeEventStore.appendAnswers({ invocationId, events })))
    case 'open_continuation': {
      const paused = await readPausedTurn(run!, context)
      const { answerable, expired } = await openRequestsOf(paused, scope, context)
      const isLast = answerable.every((one) => answers.some((answer) => answer.requestId === one.requestId))
      if (!goesOn || !isLast || !registry.has(session.backendKind)) {
        return async () => void (await recordContinuation(paused, answers, 'waiting', context))
      }
      const late = expired.filter((one) => answers.every((answer) => answer.requestId !== one.requestId))
      const all = [...answers, ...late.map(expiredAnswer)]
      return () =>
        startInvocation(
          sessionId,
          watch,
          () => openGoingOn(paused, session, 'answers', all, declared, context),
          context,
        )
    }
    default:
      // The conversation went on in between: what is read next says how the request was closed.
      return undefined
  }
}

/** Where the turn is now; undefined when the conversation has gone on with another one. */
async function newestOf(
  turnId: string,
  asking: RunRecord,
  { runStore }: RuntimeContext,
): Promise<RunRecord | undefined> {
  if (!asking.exclusive) throw new UnsupportedError('going on with a sub-agent', 'the session manager')
  const newest = await runStore.readNewestRun(asking.sessionId)
  return newest?.turnId === turnId ? newest : undefined
}

async function readRequests(
  sessionId: string,
  answers: readonly AnswerAction[],
  scope: SessionScope,
  { runtimeEventStore }: RuntimeContext,
): Promise<RequestRecord[]> {
  return Promise.all(
    answers.map(async ({ requestId }) => {
      const request = await runtimeEventStore.readRequest(sessionId, requestId, scope)
      if (request === undefined) throw new RequestNotFoundError(sessionId, requestId)
      return request
    }),
  )
}

function checkKinds(requests: readonly RequestRecord[], answers: readonly AnswerAction[]): void {
  for (const [index, { kind }] of requests.entries()) {
    const { outcome } = answers[index]!
    if (outcome === 'answered' && kind !== 'user_question') {
      throw new InvalidInputError(`answers[${index}].answer`, 'is to no question: give a decision')
    }
    if (outcome === 'approved' && kind === 'user_question') {
      throw new InvalidInputError(`answers[${index}].decision`, 'is to a question: give an answer, or deny it')
    }
  }
}
