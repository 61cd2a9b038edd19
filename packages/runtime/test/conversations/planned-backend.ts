import assert from 'node:assert/strict'
import type { AgentBackend, BackendCapabilities, BackendFactory, BackendSendInput } from '@daybook/core/backend-types'
import type { SessionEvent } from '@daybook/core/events'
import { providerRefusal } from '@daybook/testing'
import type { SendPlan } from './commands.ts'

/** What became of the tools of all processes: each call by its session, attempt and id. */
export interface Witness {
  /** How often each call was run. */
  readonly runs: Map<string, number>
  /** Those that were left open and must not be run. */
  readonly left: Set<string>
}

export interface PlannedBackends {
  readonly factory: BackendFactory
  /** What the next `send` does. */
  plan: SendPlan
  /** By the session whose backend stays in the middle of an invocation, what lets it go on. */
  readonly parked: ReadonlyMap<string, () => void>
}

/** How long a request that is asked soon can be answered, in ms. */
export const soonMs = 50

/** The backends of one process: they do what is planned for them, and count the tools that they run. */
export function plannedBackends(capabilities: BackendCapabilities, witness: Witness): PlannedBackends {
  const parked = new Map<string, () => void>()
  const planned: PlannedBackends = { factory, plan: { calls: [], end: 'ends' }, parked }
  /** By id, what was asked live: how it was answered, and who is to be woken then. */
  const asked = new Map<string, { decision?: string; wake?: () => void }>()

  function factory({ sessionId }: { readonly sessionId: string }): AgentBackend {
    const respond = async (response: { readonly requestId: string; readonly decision?: string }): Promise<void> => {
      const request = asked.get(response.requestId)
      assert.ok(request && request.decision === undefined, `${response.requestId} is answered twice, or was not asked`)
      request.decision = response.decision ?? ('answer' in response ? 'approved' : 'denied')
      request.wake?.()
    }
    return {
      kind: 'ai-sdk',
      sessionId,
      capabilities,
      send: (input) => send(sessionId, input),
      async stop() {},
      respondToSandboxBoundary: respond,
      respondToUserQuestion: respond,
      async dispose() {},
    }
  }

  async function* send(sessionId: string, input: BackendSendInput): AsyncGenerator<SessionEvent> {
    const { turnId, invocationId, history, continuation, abortSignal } = input
    assert.equal(providerRefusal(history), undefined)
    const { calls, end } = planned.plan
    planned.plan = { calls: [], end: 'ends' }
    let count = 0
    const base = (): { id: string; turnId: string; ts: number } => ({ id: `${++count}`, turnId, ts: count })
    const run = (toolCallId: string): SessionEvent => {
      assert.ok(!witness.left.has(toolCallId), `${toolCallId} was not approved`)
      witness.runs.set(toolCallId, (witness.runs.get(toolCallId) ?? 0) + 1)
      return { type: 'tool_result', ...base(), toolCallId, result: 'ran' }
    }
    const park = async (wake?: (resolve: () => void) => void): Promise<void> => {
      await new Promise<void>((resolve) => {
        parked.set(sessionId, resolve)
        abortSignal.addEventListener('abort', () => resolve())
        wake?.(resolve)
      })
      parked.delete(sessionId)
    }

    for (const { toolCallId } of continuation?.openCalls ?? []) yield run(toolCallId)
    // What is told of a text is stored with the next event, or is on its way when the process dies.
    yield { type: 'text_delta', ...base(), messageId: 'm', text: 'do' }
    const waitedFor: string[] = []
    for (const [index, how] of calls.entries()) {
      const toolCallId = `${invocationId}/${index}`
      yield { type: 'tool_start', ...base(), toolCallId, toolName: 'tool', args: { index } }
      if (how === 'runs') {
        yield run(toolCallId)
        continue
      }
      if (how === 'is left open') {
        witness.left.add(toolCallId)
        continue
      }
      waitedFor.push(toolCallId)
      asked.set(toolCallId, {})
      const request = {
        ...base(),
        requestId: toolCallId,
        toolCallId,
        ...(how === 'asks soon' && { expiresInMs: soonMs }),
      }
      if (how === 'questions') yield { type: 'user_question_request', ...request, question: 'which?' }
      else yield { type: 'sandbox_boundary_request', ...request, request: { index } }
    }
    if (end === 'parks') await park()
    if (end === 'throws') throw new Error('the provider is gone')
    if (abortSignal.aborted) return yield { type: 'abort', ...base() }
    if (waitedFor.length > 0 && capabilities.answers !== 'live')
      return yield { type: 'complete', ...base(), stopReason: 'waiting' }
    for (const toolCallId of waitedFor) {
      const request = asked.get(toolCallId)!
      while (request.decision === undefined && !abortSignal.aborted) await park((wake) => (request.wake = wake))
      if (abortSignal.aborted) return yield { type: 'abort', ...base() }
      if (request.decision === 'approved') yield run(toolCallId)
      else yield { type: 'tool_result', ...base(), toolCallId, outcome: 'denied', result: null }
    }
    yield { type: 'text_delta', ...base(), messageId: 'm', text: 'ne' }
    yield { type: 'text_complete', ...base(), messageId: 'm', text: 'done' }
    yield { type: 'complete', ...base(), stopReason: 'end_turn' }
  }

  return planned
}
