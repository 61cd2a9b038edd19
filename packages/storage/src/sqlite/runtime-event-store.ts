import {
  checkAnswersOnly,
  checkInvocationCursor,
  checkPageLimit,
  checkPosition,
  checkPositionBefore,
  checkRequestCursor,
  checkScope,
  encodeAgentEventWrites,
  encodeEvents,
  type InvocationCursor,
  maxPageItems,
  type Page,
  type RuntimeEventStore,
} from '@daybook/core'
import type { StoredRuntimeEvent } from '@daybook/core/canonical-runtime-event'
import type { InvocationRecord } from '@daybook/core/runtime-invocation'
import type { AuditSource } from '../verify/audit-source.ts'
import { verifySession, verifyStore } from '../verify/verify.ts'
import type { Lease } from './lease.ts'

export function sqliteRuntimeEventStore(lease: Lease): RuntimeEventStore {
  const audit: AuditSource = { read: (reads) => lease.read(({ audit }) => audit(reads)) }
  return {
    storage: lease.identity,
    async append({ invocationId, epoch, events, agentEvents }) {
      const encoded = encodeEvents(invocationId, events)
      const writes = agentEvents && encodeAgentEventWrites(agentEvents)
      return lease.write(({ append }) =>
        append({ invocationId, epoch, events: encoded, agentEvents: writes }, lease.now()),
      )
    },
    async appendAnswers({ invocationId, events }) {
      const encoded = encodeEvents(invocationId, events)
      checkAnswersOnly(encoded)
      return lease.write(({ append }) => append({ invocationId, epoch: undefined, events: encoded }, lease.now()))
    },
    async readRunRuntimeEvents(runId, { after, limit } = {}) {
      const [position, pageLimit] = [checkPosition(after), checkPageLimit(limit)]
      return lease.read(({ readRunEvents }) => readRunEvents(runId, position, pageLimit))
    },
    async readSessionRuntimeEventsPage(sessionId, { after, limit } = {}) {
      const [position, pageLimit] = [checkPosition(after), checkPageLimit(limit)]
      return lease.read(({ readSessionEvents }) => readSessionEvents(sessionId, position, pageLimit))
    },
    async readNewestSessionRuntimeEventsPage(sessionId, { before, limit } = {}) {
      const [position, pageLimit] = [checkPositionBefore(before), checkPageLimit(limit)]
      return lease.read(({ readNewestSessionEvents }) => readNewestSessionEvents(sessionId, position, pageLimit))
    },
    async readSessionRuntimeEvents(sessionId) {
      return allPages<StoredRuntimeEvent, number>((from) =>
        lease.read(({ readSessionEvents }) => readSessionEvents(sessionId, from ?? 0, maxPageItems)),
      )
    },
    async listSessionInvocations(sessionId) {
      return allPages<InvocationRecord, InvocationCursor>((from) =>
        lease.read(({ listOldestInvocations }) => listOldestInvocations(sessionId, from, maxPageItems)),
      )
    },
    async listSessionInvocationsPage(sessionId, { before, limit } = {}) {
      const [cursor, pageLimit] = [checkInvocationCursor(before), checkPageLimit(limit)]
      return lease.read(({ listNewestInvocations }) => listNewestInvocations(sessionId, cursor ?? null, pageLimit))
    },
    async readRequest(sessionId, requestId, givenScope) {
      const scope = checkScope(givenScope)
      return lease.read(({ readSession, readRequests }) =>
        readSession(sessionId, scope) === undefined ? undefined : readRequests.find(sessionId, requestId),
      )
    },
    async listOpenRequests(query) {
      const scope = checkScope(query?.scope)
      const [cursor, pageLimit] = [checkRequestCursor(query.after), checkPageLimit(query.limit)]
      const { sessionId } = query
      return lease.read(({ readRequests }) => readRequests.open(scope, sessionId, cursor, pageLimit, lease.now()))
    },
    async listTurnRequests(sessionId, turnId) {
      return lease.read(({ readRequests }) => readRequests.ofTurn(sessionId, turnId))
    },
    async listSettledRequests(owner, awaited) {
      return lease.read(({ readRequests }) => readRequests.settled(owner, awaited, lease.now()))
    },
    async listExpiredRequests({ after, limit } = {}) {
      const pageLimit = checkPageLimit(limit)
      return lease.read(({ readRequests }) => readRequests.expired(after, pageLimit, lease.now()))
    },
    async verifySession(sessionId) {
      return verifySession(audit, sessionId)
    },
    async verifyStore() {
      return verifyStore(audit)
    },
    close: lease.close,
  }
}

/** Each page is a read of its own, so that none holds up a checkpoint or the event loop. */
async function allPages<Item, Cursor>(readPage: (from: Cursor | null) => Promise<Page<Item, Cursor>>): Promise<Item[]> {
  const items: Item[] = []
  let from: Cursor | null = null
  do {
    const page: Page<Item, Cursor> = await readPage(from)
    items.push(...page.items)
    from = page.next
  } while (from !== null)
  return items
}
