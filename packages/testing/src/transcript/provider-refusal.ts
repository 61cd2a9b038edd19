import type { ModelMessage } from '@daybook/core/backend-types'

type Part = ModelMessage['parts'][number]
type CallPart = Extract<Part, { type: 'tool_call' }>
type ResultPart = Extract<Part, { type: 'tool_result' }>

/**
 * Why a strict provider would refuse this conversation; undefined when it takes it. It begins with the user; roles take
 * turns; no text is blank; each call has one result right behind it, and no id twice in a message; thinking that was cut
 * off is signed, and something follows it.
 */
export function providerRefusal(messages: readonly ModelMessage[]): string | undefined {
  let due: string[] = []
  for (const [index, message] of messages.entries()) {
    const refusal = refusalOf(message, messages[index - 1], due)
    if (refusal !== undefined) return `message ${index} (${message.role}) ${refusal}`
    due = callsOf(message).flatMap((part) => (part.providerExecuted ? [] : part.toolCallId))
  }
  return due.length === 0 ? undefined : `nothing answers [${due.join()}]`
}

function refusalOf(
  message: ModelMessage,
  previous: ModelMessage | undefined,
  due: readonly string[],
): string | undefined {
  const parts: readonly Part[] = message.parts
  if (previous === undefined && message.role !== 'user') return 'is the first and not the user’s'
  if (parts.length === 0) return 'is empty'
  if (message.role === previous?.role && !haveCallInCommon(message, previous)) return 'repeats the role before it'
  if (parts.some((part) => part.type === 'text' && part.text.trim() === '')) return 'has blank text'
  const answered = message.role === 'tool' ? message.parts.map((part) => part.toolCallId) : []
  if (due.join() !== answered.join()) return `answers [${answered.join()}] where [${due.join()}] are due`
  if (message.role === 'tool' && message.parts.some((part) => part.providerExecuted)) {
    return 'answers a call of the provider’s own tool'
  }
  if (message.role !== 'assistant') return undefined
  if (parts.at(-1)?.type === 'thinking') return 'ends in thinking'
  if (parts.some((part) => part.type === 'thinking' && part.interrupted && part.providerMetadata === undefined)) {
    return 'has unsigned partial thinking'
  }
  const calls = callsOf(message)
  if (new Set(calls.map((part) => part.toolCallId)).size < calls.length) return 'has two calls with one id'
  const own = calls.filter((part) => part.providerExecuted).map((part) => part.toolCallId)
  const results = parts.filter((part): part is ResultPart => part.type === 'tool_result')
  return own.join() === results.map((part) => part.toolCallId).join() ? undefined : 'answers its own calls wrongly'
}

/** Two messages that call the same id cannot be one. */
function haveCallInCommon(a: ModelMessage, b: ModelMessage): boolean {
  const ids = new Set(callsOf(b).map((part) => part.toolCallId))
  return callsOf(a).some((part) => ids.has(part.toolCallId))
}

function callsOf({ role, parts }: ModelMessage): CallPart[] {
  return role === 'assistant' ? parts.filter((part): part is CallPart => part.type === 'tool_call') : []
}
