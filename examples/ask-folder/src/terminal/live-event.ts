import { type AgentEvent, agentEventNames } from '@daybook/core'
import type { SessionEvent } from '@daybook/core/events'

/** Reads a delivery log: returns what to call with each of its events, for what `showLiveTurn` shows of it, if anything. */
export function readLiveEvents(): (event: AgentEvent) => SessionEvent | undefined {
  const calls = new Map<string, { name: string; args: string }>()
  const base = { id: '', turnId: '', ts: 0 }
  return (event) => {
    const said = (field: string): string => (typeof event[field] === 'string' ? event[field] : '')
    const value = Object(event.value) as { readonly [field: string]: unknown }
    const [toolCallId, messageId] = [said('toolCallId'), said('messageId')]
    const call = calls.get(toolCallId)
    switch (event.type) {
      case 'TEXT_MESSAGE_CONTENT':
        return { ...base, type: 'text_delta', messageId, text: said('delta') }
      case 'TEXT_MESSAGE_END':
        return { ...base, type: 'text_complete', messageId, text: '' }
      case 'TOOL_CALL_START':
        calls.set(toolCallId, { name: said('toolCallName'), args: '' })
        return undefined
      case 'TOOL_CALL_ARGS':
        if (call) call.args += said('delta')
        return undefined
      case 'TOOL_CALL_END':
        return call && { ...base, type: 'tool_start', toolCallId, toolName: call.name, args: parsed(call.args) }
      case 'TOOL_CALL_RESULT': {
        const { outcome = 'ok' } = Object(Object(event.metadata).daybook)
        // The outcome stands for a result where there is none.
        const result = said('content') === outcome ? null : parsed(said('content'))
        return { ...base, type: 'tool_result', toolCallId, outcome, result }
      }
      case 'RUN_ERROR':
        return { ...base, type: 'error', code: said('code'), message: said('message') }
      case 'CUSTOM':
        if (event.name === agentEventNames.toolArgsReplaced) {
          const replaced = calls.get(String(value.toolCallId))
          if (replaced) {
            replaced.args = JSON.stringify(value.args)
            if (typeof value.toolCallName === 'string') replaced.name = value.toolCallName
          }
        }
        if (event.name !== agentEventNames.textReplaced) return undefined
        return { ...base, type: 'text_delta', messageId: '', text: `\n${String(value.text)}` }
      default:
        return undefined
    }
  }
}

/** A text that is no JSON is itself. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
