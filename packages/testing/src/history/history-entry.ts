/** When a request was made and when it was answered, by `monotonicTime` or any other count that all processes share. */
export interface Interval {
  readonly startedAt: number
  readonly endedAt: number
}

/** An event by the ids that are unique in a storage. */
export interface EventKey {
  readonly invocationId: string
  readonly eventId: string
}

/** What the store answered about one event of an append. */
export interface AcknowledgedEvent {
  readonly eventId: string
  readonly eventSeq: number
  /** Left out where the answer does not tell. */
  readonly sessionSeq?: number
  /** It was stored by an earlier request. */
  readonly duplicate: boolean
}

/** An append, or the opening of a run, that the store acknowledged. */
export interface AppendEntry extends Interval {
  readonly kind: 'append'
  readonly sessionId: string
  readonly invocationId: string
  readonly epoch: number
  readonly events: readonly AcknowledgedEvent[]
}

/** A run that was taken over. */
export interface ClaimEntry extends Interval {
  readonly kind: 'claim'
  readonly invocationId: string
  /** The epoch from then on. */
  readonly epoch: number
}

/** A read of a session from its beginning to its end. */
export interface ReadEntry extends Interval {
  readonly kind: 'read'
  readonly sessionId: string
  readonly events: readonly EventKey[]
}

/** A request that succeeded. One that failed, or whose answer was lost, is not a part of the history. */
export type HistoryEntry = AppendEntry | ClaimEntry | ReadEntry

/** Nanoseconds of the system's monotonic clock: the same for all processes of this machine. */
export function monotonicTime(): number {
  return Number(process.hrtime.bigint())
}
