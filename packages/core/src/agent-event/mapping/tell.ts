import type { AgentEvent } from '../../ports/agent-event-store.ts'
import type { ToldRun } from './told-run.ts'
import { trackAgentEvent } from './track.ts'

/** Tells events one after the other, each taken in before the next is thought of. */
export interface Tell {
  readonly told: ToldRun
  readonly events: AgentEvent[]
  /** In ms since 1970; may be left out. */
  readonly timestamp: number | undefined
}

export function tell({ told, events, timestamp }: Tell, event: AgentEvent): void {
  const stamped = timestamp === undefined ? event : { ...event, timestamp }
  trackAgentEvent(told, stamped)
  events.push(stamped)
}

/** The member that says whose an event is; the run's own have none. */
export function whose(agent: string): { readonly subagentRunId?: string } {
  return agent === '' ? {} : { subagentRunId: agent }
}
