import { invocationSpans } from '../invocation/invocation-span.ts'
import type { Sha256 } from '../ledger/sha256.ts'
import { isKnownContent } from '../runtime-event/known-content.ts'
import type { StoredRuntimeEvent } from '../runtime-event/runtime-event.ts'
import { type RequestChange, requestChange } from './request-change.ts'
import type { RequestRecord } from './request-record.ts'

/**
 * The rebuild of the index of requests: everything that was asked in a session, in the order of the ledger, from the
 * events alone. They may come in any order; those of other sessions and stragglers are ignored.
 */
export function requestsFromSessionEvents(
  sessionId: string,
  events: readonly StoredRuntimeEvent[],
  sha256: Sha256,
): RequestRecord[] {
  const own = events.filter(({ event }) => event.sessionId === sessionId)
  const spans = invocationSpans(own)
  const requests = new Map<string, RequestRecord>()
  const isOfSubAgent = ({ invocationId }: RequestRecord): boolean => {
    const content = spans.get(invocationId)?.opening.event.content
    return isKnownContent(content) && content.kind === 'invocation_opened' && content.lineage !== undefined
  }
  for (const stored of own.toSorted((a, b) => a.sessionSeq - b.sessionSeq)) {
    const { event, eventSeq } = stored
    if (eventSeq > (spans.get(event.invocationId)?.terminal?.eventSeq ?? Infinity)) continue
    const change = requestChange(stored, sha256)
    if (change !== undefined) applyRequestChange(requests, change, isOfSubAgent)
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
