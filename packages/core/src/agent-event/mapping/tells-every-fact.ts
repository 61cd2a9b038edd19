import { isKnownContent } from '../../runtime-event/known-content.ts'
import type { RuntimeEvent } from '../../runtime-event/runtime-event.ts'
import { isTerminalEvent } from '../../runtime-event/terminal.ts'
import { agentEventNames, agentMessageId } from './names.ts'
import type { ToldRun } from './told-run.ts'

/** Whether a run's log tells all that the facts of its invocation hold, save for how that ended. */
export function tellsEveryFact(told: ToldRun, facts: Iterable<RuntimeEvent>): boolean {
  const held = new Map<string, number>()
  for (const fact of facts) {
    for (const [key, times] of toldOf(told, fact)) {
      const count = (held.get(key) ?? 0) + 1
      if (count > times) return false
      held.set(key, count)
    }
  }
  return true
}

type Told = readonly [key: string, times: number]

/** What the fact is to those who watch, and how often they were told of one like it; nothing where it is nothing. */
function toldOf({ run, texts, thoughts, toolCalls, results, others }: ToldRun, fact: RuntimeEvent): readonly Told[] {
  if (isTerminalEvent(fact)) return []
  const { content, refs, role, author, actions } = fact
  const other = (name: string, orName: string = ''): Told => [name, (others.get(name) ?? 0) + (others.get(orName) ?? 0)]
  if (isKnownContent(content)) {
    switch (content.kind) {
      case 'text':
      case 'thinking': {
        if (role !== 'model' || refs?.messageId === undefined) return []
        const id = agentMessageId(run.runId, content.kind, refs.messageId)
        const told: Told = [id, (content.kind === 'text' ? texts : thoughts).get(id)?.ends ?? 0]
        const isSigned = content.kind === 'thinking' && content.providerMetadata !== undefined
        return isSigned ? [told, other('REASONING_ENCRYPTED_VALUE')] : [told]
      }
      case 'function_call':
        return [[`call ${content.toolCallId}`, toolCalls.get(content.toolCallId)?.ends ?? 0]]
      case 'function_response':
        return [[`result ${content.toolCallId}`, results.get(content.toolCallId) ?? 0]]
      case 'source':
      case 'file':
      case 'error':
        return [other(agentEventNames[content.kind])]
      default:
        return []
    }
  }
  if (actions?.tokenUsage !== undefined) return [other(agentEventNames.tokenUsage)]
  if (actions?.answerAck !== undefined) return [other(agentEventNames.requestAnswered)]
  // What can be answered later is told with the end of the run.
  if (actions?.request !== undefined) return actions.request.wait === 'live' ? [other(agentEventNames.request)] : []
  const isOfBackend = content === undefined && role === 'system' && author === 'agent'
  return isOfBackend && actions?.stateDelta !== undefined
    ? [other(agentEventNames.custom, agentEventNames.sessionEvent)]
    : []
}
