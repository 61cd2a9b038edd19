import type { AnswerAction, AnswerOutcome, RequestAction, RequestWait } from '../runtime-event/actions.ts'

/**
 * Where a request stands. It is `open` from its fact until the first of these in its session closes it: an answer to it,
 * the backend's word that it has one (`approved`, `denied`, `answered`), or, as `unanswered`, a terminal event of its turn
 * that is not waiting, or the opening of a later turn or attempt. An `open` one that has expired can only be denied.
 */
export type RequestState = 'open' | AnswerOutcome | 'unanswered'

/** Something that was asked in a session, as the index and the rebuild both tell it. */
export interface RequestRecord {
  readonly sessionId: string
  readonly requestId: string
  readonly invocationId: string
  readonly runId: string
  readonly turnId: string
  readonly kind: RequestAction['kind']
  /** Null where no tool call waits for it. */
  readonly toolCallId: string | null
  /** What the person is shown. */
  readonly payload: RequestAction['payload']
  /** What an answer has to name: SHA-256 in lower-case hex of what was asked. */
  readonly digest: string
  readonly wait: RequestWait
  /** When it was committed, by the store's clock. */
  readonly requestedAt: number
  /** Null: it does not expire. */
  readonly expiresAt: number | null
  readonly state: RequestState
  /** The answer that closed it; null for any other state, and where the backend answered for itself. */
  readonly answer: AnswerAction | null
}

/** Whether it can be answered at this time of the store's clock. */
export function isAnswerable({ state, expiresAt }: Pick<RequestRecord, 'state' | 'expiresAt'>, now: number): boolean {
  return state === 'open' && (expiresAt === null || expiresAt > now)
}
