import type { AgentEvent } from '../../ports/agent-event-store.ts'
import { text, type ToldRun } from '../mapping/told-run.ts'

/**
 * Whether a row says that it is whose its text, thinking or call was begun as, and a call that it is of the message that was
 * told last. Results and CUSTOM events are held against the facts themselves.
 */
export function hasToldOwner({ texts, thoughts, reasonings, toolCalls, agents }: ToldRun, event: AgentEvent): boolean {
  const { type } = event
  const agent = text(event.subagentRunId) ?? ''
  const messageId = text(event.messageId ?? event.entityId) ?? ''
  if (type === 'TOOL_CALL_RESULT' || type === 'CUSTOM') return true
  if (type === 'TOOL_CALL_START' && event.parentMessageId !== agents.get(agent)?.message) return false
  if (type.startsWith('TOOL_CALL')) return (toolCalls.get(text(event.toolCallId) ?? '')?.agent ?? agent) === agent
  if (type.startsWith('TEXT')) return (texts.get(messageId)?.agent ?? agent) === agent
  if (!type.startsWith('REASONING')) return true
  return (thoughts.get(messageId)?.agent ?? agent) === agent && (reasonings.get(messageId) ?? agent) === agent
}
