import { isObject } from '../../json/check.ts'
import type { InvocationState } from '../../invocation/invocation-state.ts'
import type { AgentEvent } from '../../ports/agent-event-store.ts'
import { agentRunEnd, agentEventMaxAgeCode } from '../log/run-end.ts'

/** Whether a sweep ended the log because of its age, whatever became of the run. */
export function isEndOfSweep({ type, code }: AgentEvent): boolean {
  return type === 'RUN_ERROR' && code === agentEventMaxAgeCode
}

/** The states of which an event tells that ends a run. */
export function statesToldBy(end: AgentEvent): readonly InvocationState[] {
  if (end.type === 'RUN_ERROR') {
    // A client that is older than AG-UI 1.0 is told of a stop as of a failure.
    return end.code === 'CANCELLED' ? ['aborted', 'cancelled', 'failed'] : ['failed']
  }
  const { outcome, result } = end
  if (agentRunEnd(end) === 'interrupt' || (isObject(result) && result.stopReason === 'waiting')) return ['waiting']
  return isObject(outcome) && outcome.type === 'cancelled' ? ['aborted', 'cancelled'] : ['completed']
}
