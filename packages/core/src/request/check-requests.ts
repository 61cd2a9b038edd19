import {
  InvalidEventError,
  RequestChangedError,
  RequestClosedError,
  RequestExpiredError,
  RequestNotFoundError,
} from '../errors/index.ts'
import { encodeCanonicalJson } from '../json/canonical-json.ts'
import type { AnswerAction, RequestAction } from '../runtime-event/actions.ts'
import type { RuntimeEvent } from '../runtime-event/runtime-event.ts'
import { isTerminalEvent } from '../runtime-event/terminal.ts'
import { answerOf, requestOf } from './request-change.ts'
import type { RequestRecord } from './request-record.ts'

/**
 * Refuses what the new facts of an append must not do to the requests of their session, at the time `now` of the store's
 * clock: ask under an id that was used (`InvalidEventError`), or answer what was not asked, is closed, was shown otherwise
 * or has expired (`RequestNotFoundError`, `RequestClosedError`, `RequestChangedError`, `RequestExpiredError`, in this
 * order). An answer `expired` is refused until then. `find` gives the request as it is before the append.
 */
export function checkRequests(
  given: readonly { readonly event: RuntimeEvent }[],
  find: (requestId: string) => RequestRecord | undefined,
  now: number,
): void {
  const asked = new Set<string>()
  const answers = new Map<string, AnswerAction>()
  for (const { event } of given) {
    const request = requestOf(event)
    if (request !== undefined) {
      if (asked.has(request.requestId) || find(request.requestId) !== undefined) throw alreadyAsked(request)
      asked.add(request.requestId)
    }
    const answer = answerOf(event)
    if (answer === undefined) continue
    const earlier = answers.get(answer.requestId)
    if (earlier !== undefined) throw closedBy(earlier, answer)
    answers.set(answer.requestId, answer)
    checkAnswer(answer, find(answer.requestId), event.sessionId, now)
  }
}

/** Refuses what `appendAnswers` does not take: an event that does anything but answer. Throws `InvalidEventError`. */
export function checkAnswersOnly(given: readonly { readonly event: RuntimeEvent }[]): void {
  for (const { event } of given) {
    const { content, actions } = event
    const onlyAnswers =
      answerOf(event) !== undefined && requestOf(event) === undefined && actions?.answerAck === undefined
    if (!onlyAnswers || content !== undefined || isTerminalEvent(event)) {
      throw new InvalidEventError('/actions', 'must be an answer and nothing else')
    }
  }
}

function checkAnswer(answer: AnswerAction, request: RequestRecord | undefined, sessionId: string, now: number): void {
  const { requestId, requestDigest, outcome } = answer
  if (request === undefined) throw new RequestNotFoundError(sessionId, requestId)
  if (request.state !== 'open') {
    if (request.answer !== null) throw closedBy(request.answer, answer)
    throw new RequestClosedError(requestId, request.state, false)
  }
  if (requestDigest !== request.digest) throw new RequestChangedError(requestId, request.digest)
  if (outcome !== 'expired' && (outcome === 'answered') !== (request.kind === 'user_question')) {
    const problem =
      request.kind === 'user_question' ? 'must be answered: it is a question' : 'must be approved or denied'
    if (outcome !== 'denied') throw new InvalidEventError('/actions/answer/outcome', problem)
  }
  const isExpired = request.expiresAt !== null && request.expiresAt <= now
  if (isExpired && outcome !== 'expired') throw new RequestExpiredError(requestId, request.expiresAt)
  if (!isExpired && outcome === 'expired') {
    throw new InvalidEventError('/actions/answer/outcome', 'is expired, and the request has not')
  }
}

function closedBy(earlier: AnswerAction, answer: AnswerAction): RequestClosedError {
  const sameAnswer = encodeCanonicalJson({ ...earlier, by: '' }) === encodeCanonicalJson({ ...answer, by: '' })
  return new RequestClosedError(answer.requestId, earlier.outcome, sameAnswer)
}

function alreadyAsked({ requestId }: RequestAction): InvalidEventError {
  return new InvalidEventError('/actions/request/requestId', `"${requestId}" was used before in this session`)
}
