import type { TerminalStatus } from '../runtime-event/runtime-event.ts'
import { terminalStatuses } from '../runtime-event/terminal.ts'
import type { InvocationState } from './invocation-state.ts'

/**
 * Where an invocation stands for the process that drives it. Beside what the ledger tells: `absent` before it is
 * opened, `stopping` from the request to stop until its terminal event, `abandoned` when this process has given it up
 * without a terminal event, which its new owner or recovery writes.
 */
export type LiveInvocationState = 'absent' | 'stopping' | 'abandoned' | InvocationState

/** What can happen to an invocation. */
export type InvocationInput =
  /** A message that wants an invocation of its own in the same session. */
  | 'send'
  /** Somebody wants its turn tried again, by an invocation that supersedes this one. */
  | 'retry_requested'
  /** Somebody answered what it asked. */
  | 'answered'
  /** Somebody wants its turn to go on: all that it asked is answered, or its process died. */
  | 'continue_requested'
  /** The backend yielded something that does not end the invocation. */
  | 'backend_event'
  /** The backend ended with the event that maps to this status; throwing counts as failed. */
  | `backend_${TerminalStatus}`
  | 'backend_ended_without_terminal'
  /**
   * Somebody asked to stop it, in whatever process. Who drives it asks again once it is open, what it was asked before; of
   * one whose owner is dead, `owner_died` decides.
   */
  | 'stop_requested'
  /** The backend had the time it is given to end after a stop, and did not. */
  | 'stop_timed_out'
  /** The consumer of an attached turn left and did not ask to detach. */
  | 'consumer_left'
  /** The session manager closes: what it still drives is stopped. */
  | 'manager_closed'
  /** The store failed to write what happened; in an ended state, the terminal event itself. */
  | 'store_failed'
  /** The process that drove it is dead, or let its lease expire, and this one has claimed the run. */
  | 'owner_died'
  /** Another process has claimed the run; no one can once its terminal event is written. */
  | 'owner_replaced'

/**
 * What to do about it. From `open` on, one `end_…` comes at most, and one of `abandon` and `leave_to_recovery` where no
 * terminal event of this process gets into the ledger.
 */
export type InvocationEffect =
  /** Write a run, its opening event and the user's text; from an ended state, those of another invocation. */
  | 'open'
  /** The store refuses the message with `SessionBusyError`. */
  | 'SESSION_BUSY'
  /** Append the answer to the invocation; who drives it passes it on to a backend that waits. */
  | 'deliver'
  /** Write another invocation that goes on from this one: with the answers, or where it was interrupted. */
  | 'open_continuation'
  /** Write a continuation that does nothing but end the turn as aborted: it waits for nothing any more. */
  | 'open_aborted'
  /** Refused with `RequestClosedError`: nothing that it asked is open. */
  | 'REQUEST_CLOSED'
  /** Refused with `NothingToContinueError`. */
  | 'NOTHING_TO_CONTINUE'
  /** Commit the event's fact, then tell the consumer. */
  | 'record'
  /** Abort the signal and call the backend's `stop`; both once. */
  | 'signal_backend'
  /** Close what is open, then write the terminal event with this status. */
  | `end_${TerminalStatus}`
  /** Stop the backend and write nothing: the new owner ends it. */
  | 'abandon'
  /** The terminal event could not be written: the run stays unfinished in the ledger until recovery ends it. */
  | 'leave_to_recovery'
  | 'ignore'

export interface InvocationStep {
  readonly state: LiveInvocationState
  readonly effect: InvocationEffect
}

/** What to do, and the state that follows where it is another one. */
type Cell = readonly [effect: InvocationEffect, next?: LiveInvocationState]

/** `ended` stands for each state of a terminal event that has no cell of its own. A cell that is left out ignores what happens. */
type Row = Partial<Readonly<Record<LiveInvocationState | 'ended', Cell>>>

const aborted: Cell = ['end_aborted', 'aborted']
const failed: Cell = ['end_failed', 'failed']
const abandon: Cell = ['abandon', 'abandoned']
const busy: Cell = ['SESSION_BUSY']
const stop: Row = { running: ['signal_backend', 'stopping'] }
const closed: Cell = ['REQUEST_CLOSED']
const nothing: Cell = ['NOTHING_TO_CONTINUE']
const resume: Cell = ['open_continuation']

/** A backend that was asked to stop has stopped, whatever it calls its end. */
function backendEnds(status: TerminalStatus): Row {
  return { running: [`end_${status}`, status], stopping: aborted }
}

const table: Readonly<Record<InvocationInput, Row>> = {
  send: { absent: ['open', 'running'], running: busy, stopping: busy, ended: ['open'], abandoned: busy },
  retry_requested: { running: busy, stopping: busy, ended: ['open'], abandoned: busy },
  answered: {
    running: ['deliver'],
    stopping: ['deliver'],
    waiting: ['open_continuation'],
    ended: closed,
    abandoned: ['deliver'],
  },
  continue_requested: {
    absent: nothing,
    running: busy,
    stopping: busy,
    waiting: resume,
    failed: resume,
    aborted: resume,
    ended: nothing,
    abandoned: busy,
  },
  backend_event: { running: ['record'], stopping: ['record'] },
  backend_completed: backendEnds('completed'),
  backend_failed: backendEnds('failed'),
  backend_aborted: backendEnds('aborted'),
  backend_cancelled: backendEnds('cancelled'),
  backend_waiting: backendEnds('waiting'),
  backend_ended_without_terminal: backendEnds('failed'),
  stop_requested: { ...stop, waiting: ['open_aborted'] },
  consumer_left: stop,
  manager_closed: stop,
  stop_timed_out: { stopping: aborted },
  store_failed: { running: failed, stopping: failed, ended: ['leave_to_recovery', 'abandoned'] },
  owner_died: { running: failed, stopping: failed },
  owner_replaced: { running: abandon, stopping: abandon, ended: abandon },
}

/** Decides what an input means for an invocation in this state. Total and pure. */
export function nextInvocationStep(state: LiveInvocationState, input: InvocationInput): InvocationStep {
  const row = table[input]
  const [effect, next = state] = row[state] ?? (isEnded(state) ? row.ended : undefined) ?? ['ignore']
  return { state: next, effect }
}

function isEnded(state: LiveInvocationState): boolean {
  return terminalStatuses.some((status) => status === state)
}
