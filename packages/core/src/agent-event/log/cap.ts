import type { AgentEventState } from '../../ports/agent-event-store.ts'
import type { AgentEventLimits } from './markers.ts'

/**
 * What becomes of a delta of so many bytes: it is stored; or left out, at the first time with a marker. Only deltas are
 * left out: anything else is stored however large the log is.
 */
export function deltaFate(
  { lastSeq, bytes, truncated }: Pick<AgentEventState, 'lastSeq' | 'bytes' | 'truncated'>,
  deltaBytes: number,
  { cap, capBytes }: AgentEventLimits,
): 'store' | 'mark' | 'drop' {
  if (truncated) return 'drop'
  return lastSeq >= cap || bytes + deltaBytes > capBytes ? 'mark' : 'store'
}
