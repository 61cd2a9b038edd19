import type { ModelMessage } from '@daybook/core/backend-types'

type Part = ModelMessage['parts'][number]

/**
 * Why a strict provider would refuse to go on with this conversation; undefined when it takes it. It wants the roles to
 * take turns, no message without parts, and each call answered once: in the message after it, in the order of the calls,
 * and the calls that the provider executes in the message that calls.
 */
export function providerRefusal(messages: readonly ModelMessage[]): string | undefined {
  let due: readonly string[] = []
  for (const [index, { role, parts }] of messages.entries()) {
    const at = `message ${index} (${role})`
    if (role === messages[index - 1]?.role) return `${at} repeats the role before it`
    if (parts.length === 0) return `${at} is empty`
    const results = idsOf(parts, 'tool_result', false)
    if (results.join() !== due.join()) return `${at} answers [${results.join()}] where [${due.join()}] are due`
    due = idsOf(parts, 'tool_call', false)
    const [own, ownResults] = [idsOf(parts, 'tool_call', true), idsOf(parts, 'tool_result', true)]
    if (own.join() !== ownResults.join()) return `${at} answers [${ownResults.join()}] to its own [${own.join()}]`
    if (new Set([...due, ...own]).size < due.length + own.length) return `${at} has two calls with one id`
  }
  return due.length === 0 ? undefined : `nothing answers [${due.join()}]`
}

function idsOf(parts: readonly Part[], type: 'tool_call' | 'tool_result', byProvider: boolean): string[] {
  return parts.flatMap((part) =>
    part.type === type && (part.providerExecuted ?? false) === byProvider ? part.toolCallId : [],
  )
}
