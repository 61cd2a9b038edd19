import type { InvocationOpenedContent } from '../src/runtime-event/content.ts'
import type { RuntimeEvent, StoredRuntimeEvent } from '../src/runtime-event/runtime-event.ts'

/** The facts that the conversation consists of, found the slow and plain way: invocation by invocation, rule by rule. */
export function conversationFacts(events: readonly StoredRuntimeEvent[]): RuntimeEvent[] {
  const openings = events.filter(({ eventSeq }) => eventSeq === 1)
  const opening = (id: string, before: number): StoredRuntimeEvent | undefined =>
    openings.find(({ event, sessionSeq }) => event.invocationId === id && sessionSeq < before)
  const content = ({ event }: StoredRuntimeEvent): InvocationOpenedContent => event.content as InvocationOpenedContent

  /** The first attempt of those that retry each other. */
  function original(of: StoredRuntimeEvent): StoredRuntimeEvent {
    const { source } = content(of)
    const retried = source.kind === 'retry' ? opening(source.supersedes, of.sessionSeq) : undefined
    return retried === undefined ? of : original(retried)
  }
  function continued(of: StoredRuntimeEvent): StoredRuntimeEvent | undefined {
    const { source } = content(original(of))
    return source.kind === 'continuation' ? opening(source.of, original(of).sessionSeq) : undefined
  }
  function counts(of: StoredRuntimeEvent): boolean {
    if (openings.some((later) => later.sessionSeq > of.sessionSeq && original(later) === original(of))) return false
    const base = continued(of)
    return base === undefined ? content(of).lineage === undefined : counts(base)
  }

  const terminal = (id: string): number =>
    events.find(({ event }) => event.invocationId === id && event.status !== undefined)?.sessionSeq ?? Infinity
  const counting = new Set(openings.filter(counts).map(({ event }) => event.invocationId))
  return events
    .filter(({ event, sessionSeq }) => counting.has(event.invocationId) && sessionSeq <= terminal(event.invocationId))
    .map(({ event }) => event)
}
