import type { InvocationEnding } from '@daybook/core/canonical-runtime-event'
import type { SessionEvent } from '@daybook/core/events'
import type { InvocationState } from '@daybook/core/runtime-invocation'

/** How a turn ended. */
export interface TurnOutcome {
  readonly turnId: string
  readonly runId: string
  readonly invocationId: string
  /** What the ledger says; `running` when its terminal event could not be written here, see `error`. */
  readonly state: InvocationState
  /** Absent while it is `running`. */
  readonly ending?: InvocationEnding
  /**
   * What the store threw. The run may have ended all the same, as failed; one that is still `running` is ended as
   * interrupted before the session's next turn, or belongs to another process (`StaleOwnerError`).
   */
  readonly error?: unknown
  /**
   * What the backend said last, such as the late result of a tool, when another process had taken the run over. It is a
   * note for this caller: in the ledger the new owner has closed what it belongs to, a call as `unknown`.
   */
  readonly unrecorded?: SessionEvent
}
