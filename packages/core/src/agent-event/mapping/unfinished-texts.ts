import { type OpenItems, type OpenText, trackSessionEvent } from '../../invocation/open-items.ts'
import { isKnownContent } from '../../runtime-event/known-content.ts'
import type { RuntimeEvent } from '../../runtime-event/runtime-event.ts'
import { agentMessageId, ownMessageId } from './names.ts'
import type { ToldRun, ToldSpan } from './told-run.ts'

/** A text or thinking that was begun for those who watch, and not completed. */
export interface UnfinishedText extends Pick<OpenText, 'type' | 'block'> {
  /** What was told of it, up to the first row that is missing; never empty. */
  readonly text: string
}

/**
 * What a run's log tells of the texts that its backend began and did not complete. `facts` are those of its invocation: a
 * text that they hold was completed, though the log may not tell its end.
 */
export function unfinishedTexts(told: ToldRun, facts: Iterable<RuntimeEvent>): readonly UnfinishedText[] {
  const completed = completedTexts(told, facts)
  return [...unfinished(told, 'text', told.texts, completed), ...unfinished(told, 'thinking', told.thoughts, completed)]
}

/** Has `items`, which took in all `facts`, hold the unfinished texts of the log, as if their deltas came just now. */
export function reopenTexts(items: OpenItems, told: ToldRun, facts: Iterable<RuntimeEvent>): void {
  for (const { type, block, text } of unfinishedTexts(told, facts)) {
    // In pieces: of a text that no event can hold, those are kept that one can.
    for (let start = 0; start < text.length; start += maxPieceLength) {
      const piece = text.slice(start, start + maxPieceLength)
      trackSessionEvent(items, { type: `${type}_delta`, id: '', turnId: '', ts: 0, ...block, text: piece })
    }
  }
}

/** In UTF-16 units. */
const maxPieceLength = 4096

function* unfinished(
  { run, agents }: ToldRun,
  type: UnfinishedText['type'],
  spans: ReadonlyMap<string, ToldSpan>,
  completed: ReadonlyMap<string, number>,
): Iterable<UnfinishedText> {
  for (const [id, { agent, stepId, isOpen, text, ends }] of spans) {
    const messageId = ownMessageId(run.runId, type, id)
    if (!isOpen || text === '' || messageId === undefined || (completed.get(id) ?? 0) > ends) continue
    const agentPath = agents.get(agent)?.path ?? []
    const from = { ...(stepId !== undefined && { stepId }), ...(agentPath.length > 0 && { agentPath }) }
    yield { type, block: { messageId, ...from }, text }
  }
}

/** How often a text of each message was completed, by the id that the message has in the log. */
function completedTexts({ run }: ToldRun, facts: Iterable<RuntimeEvent>): ReadonlyMap<string, number> {
  const completed = new Map<string, number>()
  for (const { content, refs } of facts) {
    if (!isKnownContent(content) || (content.kind !== 'text' && content.kind !== 'thinking')) continue
    if (refs?.messageId === undefined) continue
    const id = agentMessageId(run.runId, content.kind, refs.messageId)
    completed.set(id, (completed.get(id) ?? 0) + 1)
  }
  return completed
}
