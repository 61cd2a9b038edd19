import { InvalidInputError } from '@daybook/core'
import { recordExpiries } from '../request/record-expiries.ts'
import type { RuntimeContext } from '../session/runtime-context.ts'
import { type FailedRecovery, recoverRuns } from './recover-runs.ts'

export type { FailedRecovery } from './recover-runs.ts'

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

/** Ends what nobody drives any more, then closes what nobody answered in time. Throws `InvalidInputError`. */
export async function recover(
  { limit = Infinity, signal }: RecoverOptions,
  context: RuntimeContext,
): Promise<RecoveryReport> {
  const isLimit = limit === Infinity || (Number.isSafeInteger(limit) && limit >= 1)
  if (!isLimit) throw new InvalidInputError('limit', `must be an integer of at least 1, not ${String(limit)}`)
  const { tried, closed, left, failed } = await recoverRuns(context.runStore, context.recovery, limit, signal)
  const late = await recordExpiries(limit - tried, signal, context)
  return { closed, left, expired: late.expired, failed: [...failed, ...late.failed] }
}
