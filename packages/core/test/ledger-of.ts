import type { AnswerAction, RequestAction } from '../src/runtime-event/actions.ts'
import type {
  InvocationOpenedContent,
  InvocationSource,
  RuntimeEventContent,
  ToolOutcome,
} from '../src/runtime-event/content.ts'
import type { RuntimeEvent, StoredRuntimeEvent, TerminalStatus } from '../src/runtime-event/runtime-event.ts'

/** An event that says what matters in a test; `ledgerOf` fills in the rest. */
export type Fact = Partial<RuntimeEvent> & { readonly invocationId: string }

/** Stores the facts in the order given, as an append does. */
export function ledgerOf(facts: readonly Fact[], sessionId = 'session'): StoredRuntimeEvent[] {
  const heads = new Map<string, number>()
  return facts.map((fact, index) => {
    const eventSeq = (heads.get(fact.invocationId) ?? 0) + 1
    heads.set(fact.invocationId, eventSeq)
    const event: RuntimeEvent = {
      id: `event-${index + 1}`,
      sessionId,
      runId: `run-${fact.invocationId}`,
      turnId: `turn-${fact.invocationId}`,
      ts: 1000 + index,
      partial: false,
      role: 'model',
      author: 'agent',
      modelVisibility: 'visible',
      ...fact,
    }
    return { event, eventSeq, sessionSeq: index + 1, committedAt: 5000 + index }
  })
}

export function opened(
  invocationId: string,
  source: InvocationSource = { kind: 'fresh' },
  more: Partial<Fact> = {},
): Fact {
  return {
    invocationId,
    role: 'system',
    author: 'system',
    modelVisibility: 'hidden',
    content: openingContent(source),
    ...more,
  }
}

export function openingContent(source: InvocationSource): InvocationOpenedContent {
  return {
    kind: 'invocation_opened',
    protocol: 'invocation_opened_v1',
    route: { backendKind: 'test' },
    configuration: { permissionMode: 'ask', revision: 1 },
    root: { kind: 'user' },
    source,
  }
}

export function said(invocationId: string, text: string): Fact {
  return { invocationId, role: 'user', author: 'user', content: { kind: 'text', text } }
}

export function fact(invocationId: string, content: RuntimeEventContent, stepId?: string): Fact {
  return { invocationId, content, ...(stepId !== undefined && { refs: { stepId } }) }
}

export function text(invocationId: string, text: string, stepId?: string): Fact {
  return fact(invocationId, { kind: 'text', text }, stepId)
}

export function call(invocationId: string, toolCallId: string, stepId?: string): Fact {
  return fact(invocationId, { kind: 'function_call', toolCallId, name: 'read', args: { of: toolCallId } }, stepId)
}

export function response(invocationId: string, toolCallId: string, result = 'done', outcome: ToolOutcome = 'ok'): Fact {
  return {
    invocationId,
    role: 'tool',
    author: 'tool',
    content: { kind: 'function_response', toolCallId, name: 'read', outcome, result },
  }
}

export function ended(invocationId: string, status: TerminalStatus, more: Partial<Fact> = {}): Fact {
  return { invocationId, role: 'system', author: 'system', modelVisibility: 'hidden', status, ...more }
}

export function asked(invocationId: string, requestId: string, more: Partial<RequestAction> = {}): Fact {
  const request: RequestAction = { requestId, kind: 'sandbox_boundary', payload: { run: requestId }, ...more }
  return { invocationId, actions: { request } }
}

export function answered(invocationId: string, requestId: string, more: Partial<AnswerAction> = {}): Fact {
  const answer: AnswerAction = { requestId, requestDigest: '0'.repeat(64), outcome: 'approved', ...more }
  return { invocationId, actions: { answer } }
}
