import type { SessionEvent, SessionEventType } from '../src/session-event/session-event.ts'

const base = { id: 'e', turnId: 't', ts: 2 }

/** One event of each type, with every field it can have. */
export const sessionEvents: { readonly [Type in SessionEventType]: Extract<SessionEvent, { type: Type }> } = {
  text_delta: { ...base, type: 'text_delta', messageId: 'm', text: 'a' },
  text_complete: {
    ...base,
    type: 'text_complete',
    messageId: 'm',
    text: 'ab',
    interrupted: true,
    providerMetadata: { i: 1 },
  },
  thinking_delta: { ...base, type: 'thinking_delta', messageId: 'm', text: 'a' },
  thinking_complete: { ...base, type: 'thinking_complete', messageId: 'm', text: 'ab', providerMetadata: 'signature' },
  tool_input_delta: { ...base, type: 'tool_input_delta', toolCallId: 'c', toolName: 'read', text: '{' },
  tool_start: {
    ...base,
    type: 'tool_start',
    stepId: 's',
    toolCallId: 'c',
    toolName: 'read',
    args: { path: 'a' },
    providerExecuted: true,
  },
  tool_result_preview: { ...base, type: 'tool_result_preview', toolCallId: 'c', result: 1 },
  tool_result: {
    ...base,
    type: 'tool_result',
    toolCallId: 'c',
    toolName: 'read',
    outcome: 'error',
    result: 'no',
    durationMs: 1.5,
  },
  source: {
    ...base,
    type: 'source',
    sourceId: 'x',
    url: 'u',
    title: 't',
    mediaType: 'text/html',
    providerMetadata: {},
  },
  file: { ...base, type: 'file', messageId: 'm', mediaType: 'image/png', data: 'AA==' },
  token_usage: { ...base, type: 'token_usage', usage: { inputTokens: 3, outputTokens: 4 } },
  sandbox_boundary_request: {
    ...base,
    type: 'sandbox_boundary_request',
    requestId: 'r',
    toolCallId: 'c',
    request: { run: 'ls' },
  },
  sandbox_boundary_decision_ack: { ...base, type: 'sandbox_boundary_decision_ack', requestId: 'r', decision: 'denied' },
  user_question_request: { ...base, type: 'user_question_request', requestId: 'r', question: 'which?' },
  user_question_answer_ack: { ...base, type: 'user_question_answer_ack', requestId: 'r' },
  provider_retry: { ...base, type: 'provider_retry', message: 'again' },
  custom: { ...base, type: 'custom', name: 'mood', value: { good: true }, agentPath: ['a', 'b'] },
  error: { ...base, type: 'error', message: 'broken', code: 'E1' },
  abort: { ...base, type: 'abort', source: 'user' },
  complete: { ...base, type: 'complete', stopReason: 'end_turn' },
}

export const everySessionEvent: readonly SessionEvent[] = Object.values(sessionEvents)
