import { isObject } from '../../json/check.ts'
import type { AgentEvent } from '../../ports/agent-event-store.ts'

/**
 * How the event ends a run in AG-UI: for good, or until what it asks for is answered. After an interrupt a log goes on,
 * unless it was finished with it. Undefined for any other event.
 */
export function agentRunEnd(event: AgentEvent): 'terminal' | 'interrupt' | undefined {
  if (event.type === 'RUN_ERROR') return 'terminal'
  if (event.type !== 'RUN_FINISHED') return undefined
  return isObject(event.outcome) && event.outcome.type === 'interrupt' ? 'interrupt' : 'terminal'
}

/** The code of the `RUN_ERROR` with which a sweep ends a log that is too old. */
export const agentEventMaxAgeCode: string = 'AgentEventMaxAge'
