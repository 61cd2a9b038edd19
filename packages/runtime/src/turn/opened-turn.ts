import type { RunRecord, SessionRecord } from '@daybook/core'
import type { BackendContinuation } from '@daybook/core/backend-types'
import type { SessionEvent } from '@daybook/core/events'
import type { TurnLog } from '../ledger/turn-log.ts'

/** An invocation whose run is in the ledger, for this process to drive. */
export interface OpenedTurn {
  readonly session: SessionRecord
  readonly run: RunRecord
  /** Absent where the manager has no store of delivery logs. */
  readonly log?: TurnLog | undefined
  /** What the user says; empty in a continuation. */
  readonly text: string
  /** Why the turn goes on; absent where it begins. */
  readonly continues?: BackendContinuation['kind']
  /** What became of calls with the opening: to be told before what the backend says. */
  readonly decided?: readonly SessionEvent[]
}
