import assert from 'node:assert/strict'
import { type OpenedStorage, type RequestRecord, type RequestState, requestsFromSessionEvents } from '@daybook/core'
import type { RuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { sha256 } from '../sha256.ts'
import { append, askEvent, idsOf, openedEvent, openRun, type RunIds, terminalEvent } from './samples.ts'

export const everyone = { tenant: null }

/** The ids of what can be answered, sorted. */
export async function openIds(storage: OpenedStorage, sessionId?: string): Promise<string[]> {
  const query = { scope: everyone, ...(sessionId !== undefined && { sessionId }) }
  const { items } = await storage.events.listOpenRequests(query)
  return items.map(({ requestId }) => requestId).toSorted()
}

/** Everything that was asked in the session, in order, by where it stands; and the index is the rebuild. */
export async function assertStates(
  storage: OpenedStorage,
  sessionId: string,
  expected: Readonly<Record<string, RequestState>>,
): Promise<void> {
  const requests = await assertRebuilt(storage, sessionId)
  assert.deepEqual(
    requests.map(({ requestId, state }) => [requestId, state]),
    Object.entries(expected),
  )
}

/** Asserts that the index is the rebuild, and gives it. */
export async function assertRebuilt(storage: OpenedStorage, sessionId: string): Promise<RequestRecord[]> {
  const events = await storage.events.readSessionRuntimeEvents(sessionId)
  const rebuilt = requestsFromSessionEvents(sessionId, events, sha256)
  for (const request of rebuilt) {
    assert.deepEqual(await storage.events.readRequest(sessionId, request.requestId, everyone), request)
  }
  assert.deepEqual((await storage.events.verifySession(sessionId)).problems, [])
  return rebuilt
}

export async function waitingRun(storage: OpenedStorage, ids: RunIds, requestIds: readonly string[]): Promise<void> {
  await openRun(storage, ids)
  await append(storage, ids, [...requestIds.map((id) => askEvent(ids, id)), terminalEvent(ids, 'waiting')])
}

/** The ids of an invocation that goes on with the turn. */
export function continuing(ids: RunIds, invocationId: string): RunIds {
  return idsOf(ids.sessionId, invocationId, ids.turnId)
}

export function continuationEvent(
  of: RunIds,
  invocationId: string,
  ids: RunIds = continuing(of, invocationId),
): RuntimeEvent {
  return openedEvent(ids, 1, { kind: 'continuation', of: of.invocationId })
}

export function subAgentEvent(ids: RunIds, parent: RunIds): RuntimeEvent {
  const opening = openedEvent(ids)
  const content = { ...opening.content!, lineage: { parentInvocationId: parent.invocationId } }
  return { ...opening, content }
}
