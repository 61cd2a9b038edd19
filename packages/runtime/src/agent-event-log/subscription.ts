import type { AgentEventRow } from '@daybook/core'

/** How a follow ended. */
export interface FollowEnd {
  /**
   * `terminal`: the run has ended, and all of it was seen. `waiting`: the same, and what it asked for goes on in another
   * run. `removed`: the log is gone, or another one stands in its place. `aborted`: the follower left, by the signal or by `return`, or the log was closed, or
   * `next` rejected. `unknown_run`: there was no log of this run.
   */
  readonly end: 'terminal' | 'waiting' | 'removed' | 'aborted' | 'unknown_run'
  /** The seq after which to go on: that of the last row that was handed out, or where the follow began. */
  readonly lastSeq: number
}

/**
 * The rows of a run as they come. Where some are missing, a row stands for them whose event is a gap marker and whose seq is
 * the last of them. Rows are shared by all who follow the run: they are not to be changed.
 */
export interface AgentEventSubscription extends AsyncIterableIterator<AgentEventRow, undefined> {
  /** Never rejects. */
  readonly ended: Promise<FollowEnd>
  /**
   * Rejects, once, with `InvalidInputError` where the follow began after the last row, or with what the store threw when it
   * could not be read for some seconds.
   */
  next(): Promise<IteratorResult<AgentEventRow, undefined>>
  /** Leaves. Resolves at once, also when a `next` waits, which then is done. */
  return(): Promise<IteratorResult<AgentEventRow, undefined>>
}
