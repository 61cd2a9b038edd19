import { isOpening } from '../invocation/invocation-span.ts'
import type { Check } from '../json/check.ts'
import type { Sha256 } from '../ledger/sha256.ts'
import { answer, answerAck, request } from '../runtime-event/actions-shape.ts'
import type { AnswerAckAction, AnswerAction, RequestAction } from '../runtime-event/actions.ts'
import type { InvocationOpenedContent } from '../runtime-event/content.ts'
import type { RuntimeEvent, StoredRuntimeEvent } from '../runtime-event/runtime-event.ts'
import { isTerminalEvent } from '../runtime-event/terminal.ts'
import { requestDigest } from './request-digest.ts'
import type { RequestRecord, RequestState } from './request-record.ts'

/** What a fact does to the requests of its session. */
export type RequestChange =
  /** Nothing of the id was asked before in the session; else it changes nothing. */
  | { readonly type: 'asked'; readonly request: RequestRecord }
  /** Closes it where it is open. */
  | {
      readonly type: 'closed'
      readonly requestId: string
      readonly state: RequestState
      readonly answer: AnswerAction | null
    }
  /** Closes as unanswered what is open of the turn. */
  | { readonly type: 'turn_ended'; readonly turnId: string }
  /** Closes as unanswered what is open in the session, save what sub-agents ask. */
  | { readonly type: 'passed_by' }

/** The change that a fact makes. No fact makes two. One without the shape of what it asks or answers makes none. */
export function requestChange(stored: StoredRuntimeEvent, sha256: Sha256): RequestChange | undefined {
  const { event } = stored
  const asked = requestOf(event)
  if (asked !== undefined) return { type: 'asked', request: recordOf(asked, stored, sha256) }
  const given = answerOf(event)
  if (given !== undefined) return closed(given.requestId, given.outcome, given)
  const ack = actionOf<AnswerAckAction>(event, 'answerAck', answerAck)
  if (ack !== undefined) return closed(ack.requestId, ack.decision ?? 'answered', null)
  return foreignRequestChange(stored)
}

/**
 * The change that a row makes which Daybook did not append. It asks and answers nothing: nobody here was shown it. Like
 * the SQL that completes such a row, this looks only at what decides.
 */
export function foreignRequestChange(stored: StoredRuntimeEvent): RequestChange | undefined {
  const { event, eventSeq } = stored
  if (isTerminalEvent(event)) {
    return event.status === 'waiting' ? undefined : { type: 'turn_ended', turnId: event.turnId }
  }
  return eventSeq === 1 && isOpening(stored) && isPassing(event) ? { type: 'passed_by' } : undefined
}

/** What the event asks; undefined where it asks nothing. */
export function requestOf(event: RuntimeEvent): RequestAction | undefined {
  return actionOf<RequestAction>(event, 'request', request)
}

/** What the event answers; undefined where it answers nothing. */
export function answerOf(event: RuntimeEvent): AnswerAction | undefined {
  return actionOf<AnswerAction>(event, 'answer', answer)
}

function closed(requestId: string, state: RequestState, answer: AnswerAction | null): RequestChange {
  return { type: 'closed', requestId, state, answer }
}

function actionOf<Action>({ actions }: RuntimeEvent, name: 'request' | 'answer' | 'answerAck', check: Check) {
  const action: unknown = actions?.[name]
  return action !== undefined && check(action, true) === undefined ? (action as Action) : undefined
}

/** Whether the conversation goes on without the answers it waits for: with a later turn, or another attempt at this one. */
function isPassing({ content }: RuntimeEvent): boolean {
  const { source, lineage } = content as Partial<InvocationOpenedContent>
  return source?.kind !== 'continuation' && lineage === undefined
}

function recordOf(request: RequestAction, { event, committedAt }: StoredRuntimeEvent, sha256: Sha256): RequestRecord {
  const { sessionId, invocationId, runId, turnId } = event
  const { requestId, kind, payload, toolCallId = null, wait = 'later', expiresInMs } = request
  return {
    sessionId,
    requestId,
    invocationId,
    runId,
    turnId,
    kind,
    toolCallId,
    payload,
    digest: requestDigest(sha256, request),
    wait,
    requestedAt: committedAt,
    expiresAt: expiresInMs === undefined ? null : committedAt + expiresInMs,
    state: 'open',
    answer: null,
  }
}
