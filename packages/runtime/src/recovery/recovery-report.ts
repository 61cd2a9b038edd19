export interface RecoverOptions {
  /** At most so many turns are ended, or their requests closed, or tried to. Default all. */
  readonly limit?: number
  /** Once it is aborted no further turn is begun with, and the report tells what was done. */
  readonly signal?: AbortSignal
}

export interface RecoveryReport {
  /** How many runs this call ended. */
  readonly closed: number
  /** How many unfinished runs it saw and left, because their owners may be alive. */
  readonly left: number
  /** How many requests of turns that wait this call closed because nobody had answered in time. */
  readonly expired: number
  /** What could not be ended, such as a run whose events are damaged. It stays as it is, and keeps no other one back. */
  readonly failed: readonly FailedRecovery[]
}

export interface FailedRecovery {
  readonly sessionId: string
  readonly runId: string
  readonly error: unknown
}
