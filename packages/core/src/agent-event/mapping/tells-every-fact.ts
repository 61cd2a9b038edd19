import { isKnownContent } from '../../runtime-event/known-content.ts'
import type { RuntimeEvent } from '../../runtime-event/runtime-event.ts'
import { agentMessageId } from './names.ts'
import type { ToldRun } from './told-run.ts'

/** Whether a run's log tells each text, thinking, call and result that the facts of its invocation hold. */
export function tellsEveryFact(told: ToldRun, facts: Iterable<RuntimeEvent>): boolean {
  const held = new Map<string, number>()
  for (const fact of facts) {
    const [key, times] = toldOf(told, fact) ?? []
    if (key === undefined) continue
    const count = (held.get(key) ?? 0) + 1
    if (count > times!) return false
    held.set(key, count)
  }
  return true
}

/** What the fact is to those who watch, and how often they were told of one like it; undefined where it is nothing. */
function toldOf(
  { run, texts, thoughts, toolCalls, results }: ToldRun,
  { content, refs, role }: RuntimeEvent,
): readonly [key: string, times: number] | undefined {
  if (!isKnownContent(content)) return undefined
  switch (content.kind) {
    case 'text':
    case 'thinking': {
      if (role !== 'model' || refs?.messageId === undefined) return undefined
      const id = agentMessageId(run.runId, content.kind, refs.messageId)
      return [id, (content.kind === 'text' ? texts : thoughts).get(id)?.ends ?? 0]
    }
    case 'function_call':
      return [`call ${content.toolCallId}`, toolCalls.get(content.toolCallId)?.ends ?? 0]
    case 'function_response':
      return [`result ${content.toolCallId}`, results.get(content.toolCallId) ?? 0]
    default:
      return undefined
  }
}
