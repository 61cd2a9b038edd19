import type { Sha256 } from '../ledger/sha256.ts'
import type { InvocationOpenedContent } from '../runtime-event/content.ts'
import type { StoredRuntimeEvent } from '../runtime-event/runtime-event.ts'
import { isTerminalEvent } from '../runtime-event/terminal.ts'
import { foreignRequestChange, type RequestChange, requestChange } from './request-change.ts'
import type { RequestRecord } from './request-record.ts'

/** What of an event matters to the requests of its session. */
export interface RequestFact {
  readonly sessionSeq: number
  readonly eventSeq: number
  readonly invocationId: string
  readonly isTerminal: boolean
  /** It opens the invocation of a sub-agent. */
  readonly opensSubAgent: boolean
  readonly change: RequestChange | undefined
}

/**
 * The rebuild of the index of requests: everything that was asked in a session, in the order of the ledger, from the
 * events alone. They may come in any order; those of other sessions and stragglers are ignored. The events are taken for
 * those of Daybook: what a foreign row asks or answers is not in the index.
 */
export function requestsFromSessionEvents(
  sessionId: string,
  events: readonly StoredRuntimeEvent[],
  sha256: Sha256,
): RequestRecord[] {
  const own = events.filter(({ event }) => event.sessionId === sessionId)
  return requestsFromFacts(own.flatMap((stored) => requestFact(stored, sha256, false) ?? []))
}

/** Undefined where the event matters to no request. */
export function requestFact(stored: StoredRuntimeEvent, sha256: Sha256, isForeign: boolean): RequestFact | undefined {
  const { event, eventSeq, sessionSeq } = stored
  const { invocationId } = event
  const change = isForeign ? foreignRequestChange(stored) : requestChange(stored, sha256)
  const isTerminal = isTerminalEvent(event)
  const content = event.content as Partial<InvocationOpenedContent> | undefined
  const opensSubAgent = eventSeq === 1 && content?.kind === 'invocation_opened' && content.lineage !== undefined
  if (change === undefined && !isTerminal && !opensSubAgent) return undefined
  return { sessionSeq, eventSeq, invocationId, isTerminal, opensSubAgent, change }
}

/** The requests that these facts of one session leave, in the order of the ledger. The facts may come in any order. */
export function requestsFromFacts(facts: readonly RequestFact[]): RequestRecord[] {
  const ends = new Map<string, number>()
  const subAgents = new Set<string>()
  for (const { invocationId, eventSeq, isTerminal, opensSubAgent } of facts) {
    if (isTerminal) ends.set(invocationId, Math.min(eventSeq, ends.get(invocationId) ?? eventSeq))
    if (opensSubAgent) subAgents.add(invocationId)
  }
  const requests = new Map<string, RequestRecord>()
  for (const { change, invocationId, eventSeq } of facts.toSorted((a, b) => a.sessionSeq - b.sessionSeq)) {
    if (change === undefined || eventSeq > (ends.get(invocationId) ?? eventSeq)) continue
    applyRequestChange(requests, change, (request) => subAgents.has(request.invocationId))
  }
  return [...requests.values()]
}

/** Changes the requests of one session, by id, in place. */
export function applyRequestChange(
  requests: Map<string, RequestRecord>,
  change: RequestChange,
  isOfSubAgent: (request: RequestRecord) => boolean,
): void {
  switch (change.type) {
    case 'asked':
      if (!requests.has(change.request.requestId)) requests.set(change.request.requestId, change.request)
      return
    case 'closed': {
      const { requestId, state, answer } = change
      const request = requests.get(requestId)
      if (request?.state === 'open') requests.set(requestId, { ...request, state, answer })
      return
    }
    case 'turn_ended':
      return closeUnanswered(requests, ({ turnId }) => turnId === change.turnId)
    case 'passed_by':
      return closeUnanswered(requests, (request) => !isOfSubAgent(request))
  }
}

function closeUnanswered(requests: Map<string, RequestRecord>, isClosed: (request: RequestRecord) => boolean): void {
  for (const [requestId, request] of requests) {
    if (request.state === 'open' && isClosed(request)) requests.set(requestId, { ...request, state: 'unanswered' })
  }
}
