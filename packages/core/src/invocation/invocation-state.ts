import { terminalStatuses } from '../runtime-event/terminal.ts'
import type { InvocationRecord } from './invocation-record.ts'

/** Where an invocation stands, as the ledger tells it: `running` until its first terminal event. */
export type InvocationState = 'running' | 'completed' | 'failed' | 'aborted' | 'cancelled' | 'waiting'

/** A terminal event that only ends the invocation, without a status, counts as completed. */
export function invocationState({ terminalEvent }: Pick<InvocationRecord, 'terminalEvent'>): InvocationState {
  if (terminalEvent === undefined) return 'running'
  return terminalStatuses.find((status) => status === terminalEvent.status) ?? 'completed'
}
