import type { RuntimeEvent, TerminalStatus } from './runtime-event.ts'

export const terminalStatuses: readonly TerminalStatus[] = ['completed', 'failed', 'aborted', 'cancelled', 'waiting']

/**
 * The one terminal predicate. Stores that answer it in SQL must agree with it on every stored payload:
 * a terminal status, or `actions.endInvocation` exactly `true`; a partial event never is terminal.
 */
export function isTerminalEvent(event: RuntimeEvent): boolean {
  if ((event.partial as boolean) === true) return false
  return (
    (event.status !== undefined && terminalStatuses.includes(event.status)) || event.actions?.endInvocation === true
  )
}
