import type { AgentBackend, BackendFactory, BackendSendInput } from '@daybook/core/backend-types'
import type { SessionEvent, StopReason } from '@daybook/core/events'

/** What a backend does in one turn; garbage is welcome. */
export type Script = (input: BackendSendInput) => AsyncIterable<unknown>

export interface ScriptedBackend {
  readonly factory: BackendFactory
  /** What was asked of it, in order, such as `send turn-1` and `stop user`. */
  readonly calls: string[]
  readonly inputs: BackendSendInput[]
}

export function scriptedBackend(script: Script, changes: Partial<AgentBackend> = {}): ScriptedBackend {
  const calls: string[] = []
  const inputs: BackendSendInput[] = []
  const factory: BackendFactory = ({ sessionId }) => ({
    kind: 'ai-sdk',
    sessionId,
    send(input) {
      calls.push(`send ${input.turnId}`)
      inputs.push(input)
      return script(input) as AsyncIterable<SessionEvent>
    },
    async stop(reason) {
      calls.push(`stop ${reason}`)
    },
    async respondToSandboxBoundary() {},
    async dispose() {
      calls.push('dispose')
    },
    ...changes,
  })
  return { factory, calls, inputs }
}

/** Makes the events of one turn, with ids and times of their own. */
export function eventsOf(turnId: string) {
  let count = 0
  const base = (): { id: string; turnId: string; ts: number } => ({ id: `${turnId}-${++count}`, turnId, ts: count })
  return {
    delta: (text: string, messageId = 'm'): SessionEvent => ({ type: 'text_delta', ...base(), messageId, text }),
    thought: (text: string, messageId = 'm'): SessionEvent => ({ type: 'thinking_delta', ...base(), messageId, text }),
    text: (text: string, messageId = 'm'): SessionEvent => ({ type: 'text_complete', ...base(), messageId, text }),
    call: (toolCallId: string, args: unknown = {}): SessionEvent => ({
      type: 'tool_start',
      ...base(),
      toolCallId,
      toolName: 'tool',
      args,
    }),
    result: (toolCallId: string, result: unknown = 'done'): SessionEvent => ({
      type: 'tool_result',
      ...base(),
      toolCallId,
      result,
    }),
    question: (requestId: string, toolCallId: string): SessionEvent => ({
      type: 'user_question_request',
      ...base(),
      requestId: `${requestId} of ${turnId}`,
      toolCallId,
      question: 'which?',
    }),
    boundary: (requestId: string, toolCallId: string, expiresInMs?: number): SessionEvent => ({
      type: 'sandbox_boundary_request',
      ...base(),
      requestId: `${requestId} of ${turnId}`,
      toolCallId,
      request: { may: toolCallId },
      ...(expiresInMs !== undefined && { expiresInMs }),
    }),
    error: (message: string, code?: string): SessionEvent => ({
      type: 'error',
      ...base(),
      message,
      ...(code !== undefined && { code }),
    }),
    complete: (stopReason: StopReason = 'end_turn'): SessionEvent => ({ type: 'complete', ...base(), stopReason }),
    abort: (source?: string): SessionEvent => ({ type: 'abort', ...base(), ...(source !== undefined && { source }) }),
  }
}

/** Resolves when the signal is aborted, at once where it is already. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
}
