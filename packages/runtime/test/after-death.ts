import assert from 'node:assert/strict'
import {
  type InvocationInput,
  type LiveInvocationState,
  modelMessagesFromEvents,
  nextInvocationStep,
  type OpenedStorage,
} from '@daybook/core'
import { providerRefusal } from '@daybook/testing'
import { endingOf, factsOf } from './ledger-facts.ts'
import type { TestManager } from './open-manager.ts'
import { typesOf } from './take.ts'
import { writes } from './turn-in-writes.ts'

const inputs: Readonly<Record<string, InvocationInput>> = { invocation_opened: 'send', completed: 'backend_completed' }

/** What the state table makes of a turn whose process dies after so many of its writes. */
export function stepAfter(committed: readonly string[]): ReturnType<typeof nextInvocationStep> {
  let state: LiveInvocationState = 'absent'
  for (const fact of committed) state = nextInvocationStep(state, inputs[fact] ?? 'backend_event').state
  return nextInvocationStep(state, 'owner_died')
}

/**
 * Holds a session, whose turn was in so many writes when its process was killed and which is recovered, against the state
 * table; then lets it take the next message.
 */
export async function assertGoesOn(
  storage: OpenedStorage,
  { manager, backend }: TestManager,
  sessionId: string,
  written: number,
): Promise<void> {
  const committed = writes.slice(0, written).flat()
  const { state, effect } = stepAfter(committed)
  // Whether a call that has no result was run, nobody can say.
  const isCallOpen = committed.includes('function_call:c1') && !committed.includes('function_response:ok')
  const closing = ['error:app_restarted', ...(isCallOpen ? ['function_response:unknown'] : []), state]
  assert.deepEqual(await factsOf(storage, sessionId), [...committed, ...(effect === `end_${state}` ? closing : [])])
  const ending = {
    absent: undefined,
    completed: { stopReason: 'end_turn' },
    failed: { stopReason: 'error', failureCode: 'app_restarted' },
  }
  assert.ok(state in ending)
  assert.deepEqual(await endingOf(storage, sessionId), ending[state as keyof typeof ending])
  const [invocation] = await storage.events.listSessionInvocations(sessionId)
  const run = invocation && (await storage.runs.readRun(invocation.runId))
  assert.deepEqual(run && [run.state, run.finishedAt !== null], state === 'absent' ? undefined : [state, true])

  assert.equal((await typesOf(manager.sendMessage(sessionId, { text: 'and now?' }))).at(-1), 'complete')
  const before = backend.inputs.at(-1)?.history ?? []
  assert.equal(before.length > 0, committed.length > 0)
  const events = await storage.events.readSessionRuntimeEvents(sessionId)
  for (const messages of [before, modelMessagesFromEvents(events)]) {
    assert.equal(providerRefusal(messages), undefined)
  }
}
