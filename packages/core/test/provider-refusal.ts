import type { ModelMessage, ToolCallPart, ToolResultPart } from '../src/transcript/model-message.ts'

/** Why a strict provider would refuse this conversation; undefined when it takes it. */
export function providerRefusal(messages: readonly ModelMessage[]): string | undefined {
  let due: string[] = []
  for (const [index, message] of messages.entries()) {
    const at = `message ${index} (${message.role})`
    if (message.parts.length === 0) return `${at} is empty`
    const previous = messages[index - 1]
    if (message.role === previous?.role && !callsOf(message).some((id) => callsOf(previous).includes(id))) {
      return `${at} repeats the role before it`
    }
    if (message.parts.some((part) => part.type === 'text' && part.text.trim() === '')) return `${at} has blank text`
    const answered = message.role === 'tool' ? message.parts.map((part) => part.toolCallId) : []
    if (due.join() !== answered.join()) return `${at} answers [${answered.join()}] where [${due.join()}] are due`
    due = []
    if (message.role === 'tool' && message.parts.some((part) => part.providerExecuted)) {
      return `${at} answers a call of the provider's own tool`
    }
    if (message.role !== 'assistant') continue
    if (message.parts.at(-1)?.type === 'thinking') return `${at} ends in thinking`
    for (const part of message.parts) {
      if (part.type === 'thinking' && part.interrupted && part.providerMetadata === undefined) {
        return `${at} has unsigned partial thinking`
      }
    }
    const calls = message.parts.filter((part): part is ToolCallPart => part.type === 'tool_call')
    const results = message.parts.filter((part): part is ToolResultPart => part.type === 'tool_result')
    const ids = calls.map((part) => part.toolCallId)
    if (new Set(ids).size < ids.length) return `${at} has two calls with one id`
    const own = calls.filter((part) => part.providerExecuted).map((part) => part.toolCallId)
    if (own.join() !== results.map((part) => part.toolCallId).join()) return `${at} answers its own calls wrongly`
    due = calls.filter((part) => !part.providerExecuted).map((part) => part.toolCallId)
  }
  return due.length === 0 ? undefined : `nothing answers [${due.join()}]`
}

/** Two messages that call the same id cannot be one. */
function callsOf({ role, parts }: ModelMessage): string[] {
  return role === 'assistant' ? parts.flatMap((part) => (part.type === 'tool_call' ? part.toolCallId : [])) : []
}
