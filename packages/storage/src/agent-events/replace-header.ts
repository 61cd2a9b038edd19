import type { AgentEventHeader } from '@daybook/core'

/** The header with the times that the one it replaces has. */
export function replaceHeader(
  header: AgentEventHeader,
  { openedAt, finishedAt }: Pick<AgentEventHeader, 'openedAt' | 'finishedAt'>,
): AgentEventHeader {
  return { ...header, ...(openedAt !== undefined && { openedAt }), ...(finishedAt !== undefined && { finishedAt }) }
}
