import assert from 'node:assert/strict'
import {
  modelMessagesFromEvents,
  type OpenedStorage,
  type RequestRecord,
  type SessionRecord,
  transcriptFromEvents,
  type TranscriptTurn,
} from '@daybook/core'
import {
  isKnownContent,
  type RuntimeEvent,
  type StoredRuntimeEvent,
  type TextContent,
} from '@daybook/core/canonical-runtime-event'
import { invocationState, runtimeInvocationsFromSessionEvents } from '@daybook/core/runtime-invocation'
import { providerRefusal } from '@daybook/testing'
import { inheritedEvents } from '../../src/branch/inherited-events.ts'
import type { Witness } from './planned-backend.ts'

/** Everything that must hold of a session whatever happened to it. Returns what people read of it. */
export async function checkSession(
  storage: OpenedStorage,
  session: SessionRecord,
  witness: Witness,
): Promise<TranscriptTurn[]> {
  const events = await storage.events.readSessionRuntimeEvents(session.id)
  const inherited = await inheritedEvents(session, { store: storage.sessions, runtimeEventStore: storage.events })
  const refusal = providerRefusal(modelMessagesFromEvents(events, inherited))
  assert.equal(refusal, undefined)
  const invocations = await storage.events.listSessionInvocations(session.id)
  assert.deepEqual(invocations, runtimeInvocationsFromSessionEvents(session.id, events))
  checkAnswers(events)
  const transcript = transcriptFromEvents(events, inherited)
  const own = transcriptFromEvents(events)
  const newest = own.at(-1)
  for (const turn of transcript) checkCalls(turn, turn.turnId === newest?.turnId)
  for (const turn of own) checkRuns(turn, witness)
  if (newest !== undefined) {
    const requests = await storage.events.listTurnRequests(session.id, newest.turnId)
    const ofTurn = invocations.filter(({ turnId }) => turnId === newest.turnId)
    const wasInterrupted = ofTurn.some((one) => ['failed', 'aborted'].includes(invocationState(one)))
    checkRequests(newest, requests, wasInterrupted)
  }
  await checkSearch(storage, session, events)
  if (events.length > 0) {
    const { problems } = await storage.events.verifySession(session.id)
    assert.deepEqual(problems, [])
  }
  return transcript
}

/** What a person said last in the session is found, before all that was said earlier anywhere. */
async function checkSearch(
  { sessions }: OpenedStorage,
  { id, tenant }: SessionRecord,
  events: readonly StoredRuntimeEvent[],
): Promise<void> {
  const said = events.findLast(({ event }) => event.role === 'user' && event.content?.kind === 'text')
  if (said === undefined) return
  const { event, eventSeq } = said
  const { text } = event.content as TextContent
  const [hit] = (await sessions.search({ scope: { tenant }, text, limit: 1 })).items
  const { turnId, invocationId } = event
  assert.deepEqual([hit?.session.id, hit?.said], [id, { turnId, invocationId, eventSeq, role: 'user' }])
}

/** All that is computed from the events is what it would be if it were computed anew, and every delivery log tells just them. */
export async function checkStore({ events }: OpenedStorage): Promise<void> {
  const { problems, notes } = await events.verifyStore()
  assert.deepEqual([problems, notes], [[], []])
}

/** No request has two answers, and no call has two results. */
function checkAnswers(events: readonly StoredRuntimeEvent[]): void {
  const seen = new Set<string>()
  for (const { event } of events) {
    const id = answerIn(event)
    if (id === undefined) continue
    assert.ok(!seen.has(id), `${id} comes twice`)
    seen.add(id)
  }
}

function answerIn({ actions, content }: RuntimeEvent): string | undefined {
  if (actions?.answer !== undefined) return `an answer to ${actions.answer.requestId}`
  if (!isKnownContent(content) || content.kind !== 'function_response') return undefined
  return `a result of ${content.toolCallId}`
}

/** What a person decided about a call is what became of it, and a turn that completed left nothing open. */
function checkRequests(
  { state, items }: TranscriptTurn,
  requests: readonly RequestRecord[],
  wasInterrupted: boolean,
): void {
  if (state === 'running' || state === 'waiting') return
  for (const item of items) {
    if (item.type !== 'tool_call') continue
    const { toolCallId, outcome } = item
    assert.ok('result' in item, `nothing was recorded of ${toolCallId}`)
    if (state !== 'completed') continue
    const request = requests.find((one) => one.toolCallId === toolCallId)
    const expected: readonly string[] =
      request === undefined ? ['ok', 'unknown', 'not_answered'] : outcomes[request.state]
    const isExpected =
      expected.includes(outcome) || (wasInterrupted && (outcome === 'unknown' || outcome === 'not_answered'))
    assert.ok(isExpected, `${toolCallId} was ${request?.state ?? 'not asked about'} and is ${outcome}`)
  }
}

/** What becomes of a call whose request was closed like this, in a turn that completed. */
const outcomes: Readonly<Record<RequestRecord['state'], readonly string[]>> = {
  open: [],
  unanswered: [],
  approved: ['ok'],
  answered: ['ok'],
  denied: ['denied'],
  expired: ['denied'],
}

/** Every call has one outcome, open only in a newest turn that goes on. */
function checkCalls({ state, items }: TranscriptTurn, isNewest: boolean): void {
  for (const item of items) {
    if (item.type === 'tool_result') assert.fail(`a result of ${item.toolCallId} has no call`)
    if (item.type !== 'tool_call' || item.outcome !== 'open') continue
    assert.ok(isNewest && (state === 'running' || state === 'waiting'), `${item.toolCallId} is open`)
  }
}

/**
 * No call was run twice, nor one that a person refused. What a branch shows of its parent may be run there after it left.
 */
function checkRuns({ items }: TranscriptTurn, { runs }: Witness): void {
  for (const item of items) {
    if (item.type !== 'tool_call') continue
    const { outcome, toolCallId } = item
    const timesRun = runs.get(toolCallId) ?? 0
    assert.ok(timesRun <= 1, `${toolCallId} was run ${timesRun} times`)
    if (outcome === 'denied' || outcome === 'not_answered') assert.equal(timesRun, 0, `${toolCallId} was run`)
    if (outcome === 'ok' && item.result === 'ran') assert.equal(timesRun, 1, `${toolCallId} was not run`)
  }
}
