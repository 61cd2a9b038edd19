import type { AgentEventHeader, AgentEventPage, AgentEventRow } from '@daybook/core'

/** The page of a log that holds these rows, and says whether more follow. */
export function pageOf(
  items: readonly AgentEventRow[],
  { lastSeq, floor }: { readonly lastSeq: number; readonly floor: number },
  { openedAt }: Pick<AgentEventHeader, 'openedAt'>,
): AgentEventPage {
  const last = items.at(-1)?.seq ?? lastSeq
  return { items, next: last < lastSeq ? last : null, floor, ...(openedAt !== undefined && { openedAt }) }
}
