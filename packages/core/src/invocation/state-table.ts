import type { TerminalStatus } from '../runtime-event/runtime-event.ts'
import type { InvocationState } from './invocation-state.ts'

/**
 * Where an invocation stands for the process that drives it. Beside what the ledger tells: `absent` before it is
 * opened, `stopping` from the request to stop until its terminal event.
 */
export type LiveInvocationState = 'absent' | 'stopping' | InvocationState

/** What can happen to an invocation. */
export type InvocationInput =
  /** A message that wants an invocation of its own in the same session. */
  | 'send'
  /** The backend yielded something that does not end the invocation. */
  | 'backend_event'
  /** The backend ended with the event that maps to this status; throwing counts as failed. */
  | `backend_${TerminalStatus}`
  | 'backend_ended_without_terminal'
  | 'stop_requested'
  /** The backend had the time it is given to end after a stop, and did not. */
  | 'stop_timed_out'
  /** The consumer of an attached turn left and did not ask to detach. */
  | 'consumer_left'
  /** The session manager closes: what it still drives is stopped. */
  | 'manager_closed'
  /** The store refused or failed to write what happened. */
  | 'store_failed'
  /** The process that drove it is gone, and this one has claimed the run. */
  | 'owner_died'
  /** Another process has claimed the run. */
  | 'owner_replaced'

/** What to do about it. Exactly one of `end_…` and `abandon` comes on every way from `open` to an ended state. */
export type InvocationEffect =
  /** Write a run, its opening event and the user's text; from an ended state, those of another invocation. */
  | 'open'
  /** Refuse the message with `SessionBusyError`. */
  | 'SESSION_BUSY'
  /** Refuse with `RunNotFoundError`. */
  | 'RUN_NOT_FOUND'
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

type Cell = readonly [state: LiveInvocationState, effect: InvocationEffect]

interface Row {
  /** What to do while there is no such invocation; only `send` makes one. */
  readonly absent: Cell
  readonly running: Cell
  readonly stopping: Cell
  /** What to do in an ended state, which nothing leaves. */
  readonly ended: InvocationEffect
}

const missing: Cell = ['absent', 'RUN_NOT_FOUND']
const aborted: Cell = ['aborted', 'end_aborted']
const failed: Cell = ['failed', 'end_failed']
const abandoned: Cell = ['failed', 'abandon']
const stop: Row = {
  absent: missing,
  running: ['stopping', 'signal_backend'],
  stopping: ['stopping', 'ignore'],
  ended: 'ignore',
}

/** A backend that was asked to stop has stopped, whatever it calls its end. */
function backendEnds(status: TerminalStatus): Row {
  return { absent: missing, running: [status, `end_${status}`], stopping: aborted, ended: 'ignore' }
}

const table: Readonly<Record<InvocationInput, Row>> = {
  send: {
    absent: ['running', 'open'],
    running: ['running', 'SESSION_BUSY'],
    stopping: ['stopping', 'SESSION_BUSY'],
    ended: 'open',
  },
  backend_event: {
    absent: missing,
    running: ['running', 'record'],
    stopping: ['stopping', 'record'],
    ended: 'ignore',
  },
  backend_completed: backendEnds('completed'),
  backend_failed: backendEnds('failed'),
  backend_aborted: backendEnds('aborted'),
  backend_cancelled: backendEnds('cancelled'),
  backend_waiting: backendEnds('waiting'),
  backend_ended_without_terminal: backendEnds('failed'),
  stop_requested: stop,
  consumer_left: stop,
  manager_closed: stop,
  stop_timed_out: { absent: missing, running: ['running', 'ignore'], stopping: aborted, ended: 'ignore' },
  store_failed: { absent: ['absent', 'ignore'], running: failed, stopping: failed, ended: 'leave_to_recovery' },
  owner_died: { absent: missing, running: failed, stopping: failed, ended: 'ignore' },
  owner_replaced: { absent: missing, running: abandoned, stopping: abandoned, ended: 'ignore' },
}

/** Decides what an input means for an invocation in this state. Total and pure. */
export function nextInvocationStep(state: LiveInvocationState, input: InvocationInput): InvocationStep {
  const row = table[input]
  if (state === 'absent' || state === 'running' || state === 'stopping') {
    const [next, effect] = row[state]
    return { state: next, effect }
  }
  return { state, effect: row.ended }
}
