import type { AgentEventLog } from './agent-event-log.ts'

let installed: AgentEventLog | undefined

/** Makes the log the one that `sweepInstalledAgentEvents` sweeps in this process; undefined takes it away. */
export function setAgentEventLog(log: AgentEventLog | undefined): void {
  installed = log
}

/** For hosts with a scheduler of their own: sweeps the log that was set, and returns how many runs were removed. */
export async function sweepInstalledAgentEvents(now: number): Promise<number> {
  return (await installed?.sweep(now)) ?? 0
}
