import assert from 'node:assert/strict'
import {
  modelMessagesFromEvents,
  type OpenedStorage,
  type SessionRecord,
  transcriptFromEvents,
  type TranscriptTurn,
} from '@daybook/core'
import { isKnownContent, type RuntimeEvent, type StoredRuntimeEvent } from '@daybook/core/canonical-runtime-event'
import { runtimeInvocationsFromSessionEvents } from '@daybook/core/runtime-invocation'
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
  for (const turn of transcript) checkCalls(turn, turn.turnId === own.at(-1)?.turnId, witness)
  if (events.length > 0) {
    const { problems } = await storage.events.verifySession(session.id)
    assert.deepEqual(problems, [])
  }
  return transcript
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

/** Every call has one outcome, open only in a newest turn that goes on, and one that a person refused was never run. */
function checkCalls({ state, items }: TranscriptTurn, isNewest: boolean, { runs }: Witness): void {
  for (const item of items) {
    if (item.type === 'tool_result') assert.fail(`a result of ${item.toolCallId} has no call`)
    if (item.type !== 'tool_call') continue
    const { outcome, toolCallId } = item
    const timesRun = runs.get(toolCallId) ?? 0
    assert.ok(timesRun <= 1, `${toolCallId} was run ${timesRun} times`)
    if (outcome === 'open') assert.ok(isNewest && (state === 'running' || state === 'waiting'), `${toolCallId} is open`)
    if (outcome === 'denied' || outcome === 'not_answered') assert.equal(timesRun, 0, `${toolCallId} was run`)
    if (outcome === 'ok' && item.result === 'ran') assert.equal(timesRun, 1, `${toolCallId} was not run`)
  }
}
