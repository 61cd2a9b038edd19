import { answeredCall, type OpenItems, type RequestRecord } from '@daybook/core'
import type { AnswerAction, RuntimeEvent, ToolOutcome } from '@daybook/core/canonical-runtime-event'
import { runtimeEventFromSessionEvent, type SessionEvent } from '@daybook/core/events'
import { type Composition, eventBase, type InvocationIds, openingEvent } from '../turn/opening-events.ts'
import type { Stamp } from '../turn/stamp.ts'
import { requestsOfCall } from './requests-of-call.ts'

/** What follows the answers: the backend, more waiting, or the end of the turn. */
export type ContinuationEnd = 'goes_on' | 'waiting' | { readonly abortedBy: string }

export interface ContinuationPlan {
  readonly composition: Composition
  readonly ids: InvocationIds
  /** The invocation that it goes on from. */
  readonly of: string
  /** Everything that was asked in this attempt at the turn, before these answers. */
  readonly requests: readonly RequestRecord[]
  readonly answers: readonly AnswerAction[]
  readonly openItems: OpenItems
  readonly end: ContinuationEnd
}

export interface ContinuationEvents {
  readonly events: readonly [RuntimeEvent, ...RuntimeEvent[]]
  /** What became of the calls that the backend is not to run. */
  readonly decided: readonly SessionEvent[]
}

/**
 * The first events of a continuation: the opening, the answers, the results of the calls that answers alone decide, and,
 * where nobody goes on, a terminal event. Where somebody does, or the turn ends, a call that nobody approved is closed as
 * not answered.
 */
export function continuationEvents(plan: ContinuationPlan, stamp: Stamp): ContinuationEvents {
  const { composition, ids, of, answers, openItems, end } = plan
  const base = (): Pick<SessionEvent, 'id' | 'turnId' | 'ts'> => ({
    id: stamp.newId(),
    turnId: ids.turnId,
    ts: stamp.now(),
  })
  const opening = openingEvent(composition, { kind: 'continuation', of }, ids, stamp)
  const facts = answers.map((answer) => answerEvent(answer, ids, stamp))
  const requests = withAnswers(plan.requests, answers)
  const decided = [...openItems.toolCalls.values()].flatMap((call): SessionEvent[] => {
    const asked = requestsOfCall(call, requests, openItems)
    const outcome = outcomeOf(asked, end)
    return outcome === undefined ? [] : [{ type: 'tool_result', ...base(), ...call, ...outcome }]
  })
  const terminal: SessionEvent[] =
    end === 'goes_on'
      ? []
      : end === 'waiting'
        ? [{ type: 'complete', ...base(), stopReason: 'waiting' }]
        : [{ type: 'abort', ...base(), source: end.abortedBy }]
  const said = [...decided, ...terminal].flatMap((event) => runtimeEventFromSessionEvent(event, ids, openItems) ?? [])
  return { events: [opening, ...facts, ...said], decided }
}

/** The fact of an answer, for the invocation that brings it. */
export function answerEvent(answer: AnswerAction, ids: InvocationIds, stamp: Stamp): RuntimeEvent {
  const byUser = answer.outcome !== 'expired'
  return {
    ...eventBase(ids, stamp),
    role: byUser ? 'user' : 'system',
    author: byUser ? 'user' : 'system',
    modelVisibility: 'hidden',
    actions: { answer },
    refs: { requestId: answer.requestId },
  }
}

/** What closes a request that nobody answered in time. */
export function expiredAnswer({ requestId, digest }: RequestRecord): AnswerAction {
  return { requestId, requestDigest: digest, outcome: 'expired' }
}

function withAnswers(requests: readonly RequestRecord[], answers: readonly AnswerAction[]): RequestRecord[] {
  return requests.map((request) => {
    const answer = answers.find(({ requestId }) => requestId === request.requestId)
    return answer === undefined ? request : { ...request, state: answer.outcome, answer }
  })
}

/** Undefined for a call that stays open: one that is to be run, or that may still be answered. */
function outcomeOf(
  asked: readonly RequestRecord[],
  end: ContinuationEnd,
): { readonly outcome: ToolOutcome; readonly result: unknown } | undefined {
  for (const request of asked) {
    const decided = request.answer === null ? undefined : answeredCall(request, request.answer)
    if (decided !== undefined) return { outcome: decided.outcome, result: decided.result }
  }
  if (end === 'waiting') return undefined
  const isToRun = end === 'goes_on' && asked.some(({ state }) => state === 'approved')
  return isToRun ? undefined : { outcome: 'not_answered', result: null }
}
