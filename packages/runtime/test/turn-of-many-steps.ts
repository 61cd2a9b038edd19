import type { ScriptStep } from '@daybook/testing'

/** Texts and tool calls, one of which stays open, so that a kill hits every kind of open item. */
export function* turnOfManySteps(): Generator<ScriptStep> {
  for (const call of ['a', 'b']) {
    yield { type: 'text_delta', messageId: call, text: 'I will' }
    yield { type: 'text_complete', messageId: call, text: `I will do ${call}` }
    yield { type: 'tool_start', toolCallId: call, toolName: 'tool', args: { call } }
    yield { type: 'tool_result', toolCallId: call, result: 'x'.repeat(500) }
  }
  yield { type: 'complete', stopReason: 'end_turn' }
}
