import type { OpenedStorage } from '@daybook/core'
import { BackendRegistry, type SessionManager } from '@daybook/runtime/session-manager'
import { scriptedBackend, type ScriptStep } from '@daybook/testing'
import { managerOver } from './open-manager.ts'

/** A manager whose backend plays the turn, with the times and ids of the system. */
export function managerOfManySteps(storage: OpenedStorage): SessionManager {
  const backends = new BackendRegistry()
  backends.register('ai-sdk', scriptedBackend(turnOfManySteps).factory)
  return managerOver(storage, { backends })
}

/** Texts and tool calls, one of which stays open, so that a kill hits every kind of open item. */
function* turnOfManySteps(): Generator<ScriptStep> {
  for (const call of ['a', 'b']) {
    yield { type: 'text_delta', messageId: call, text: 'I will' }
    yield { type: 'text_complete', messageId: call, text: `I will do ${call}` }
    yield { type: 'tool_start', toolCallId: call, toolName: 'tool', args: { call } }
    yield { type: 'tool_result', toolCallId: call, result: 'x'.repeat(500) }
  }
  yield { type: 'complete', stopReason: 'end_turn' }
}
