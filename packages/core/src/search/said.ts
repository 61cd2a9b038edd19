import { isKnownContent } from '../runtime-event/known-content.ts'
import type { RuntimeEvent, StoredRuntimeEvent } from '../runtime-event/runtime-event.ts'
import type { SearchHit, SessionRecord } from '../ports/session-store.ts'
import type { SearchWords } from './check-search.ts'
import { searchExcerpt } from './match.ts'

/** The text of an event that search finds: what the user or the model said. Not what it thought, nor what tools did. */
export function saidText({ content, role, partial }: RuntimeEvent): string | undefined {
  if ((partial as boolean) === true || (role !== 'user' && role !== 'model')) return undefined
  return isKnownContent(content) && content.kind === 'text' ? content.text : undefined
}

export function titleHit(words: SearchWords, session: SessionRecord): SearchHit {
  return { session, said: null, excerpt: searchExcerpt(words, session.title ?? '') }
}

export function saidHit(
  words: SearchWords,
  session: SessionRecord,
  { event, eventSeq }: Pick<StoredRuntimeEvent, 'event' | 'eventSeq'>,
): SearchHit {
  const { turnId, invocationId, role } = event
  const said = { turnId, invocationId, eventSeq, role: role as 'user' | 'model' }
  return { session, said, excerpt: searchExcerpt(words, saidText(event) ?? '') }
}
