import { type OpenText } from '../../invocation/open-items.ts'
import { ownMessageId } from './names.ts'
import type { ToldRun, ToldSpan } from './told-run.ts'

/** A text or thinking that was begun for those who watch, and not ended. */
export interface UnfinishedText extends Pick<OpenText, 'type' | 'block'> {
  /** What was told of it, up to the first row that is missing. */
  readonly text: string
  /** How many texts of this `messageId` were ended in the log before. */
  readonly before: number
}

/** The texts that a run's backend began and did not complete, as far as its log tells them; those without a text left out. */
export function unfinishedTexts(told: ToldRun): readonly UnfinishedText[] {
  return [...unfinished(told, 'text', told.texts), ...unfinished(told, 'thinking', told.thoughts)]
}

function* unfinished(
  { run, agents }: ToldRun,
  type: UnfinishedText['type'],
  spans: ReadonlyMap<string, ToldSpan>,
): Iterable<UnfinishedText> {
  for (const [id, { agent, stepId, isOpen, text, ends }] of spans) {
    const messageId = ownMessageId(run.runId, type, id)
    if (!isOpen || text === '' || messageId === undefined) continue
    const agentPath = agents.get(agent)?.path ?? []
    const from = { ...(stepId !== undefined && { stepId }), ...(agentPath.length > 0 && { agentPath }) }
    yield { type, block: { messageId, ...from }, text, before: ends }
  }
}
