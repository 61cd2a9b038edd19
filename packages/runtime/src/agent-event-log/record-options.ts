import type { AgentEvent } from '@daybook/core'

/** How an event is recorded. */
export interface RecordOptions {
  /** The log ends with this event, whatever it is; with an interrupt, since what is asked for goes on in another run. */
  readonly isLast?: boolean
  /**
   * Called for each event of the run that is lost, whoever recorded it here: also for what was joined, of which no outcome
   * tells. The last one that was given is called. Must not throw.
   */
  readonly onLost?: (event: AgentEvent) => void
}
