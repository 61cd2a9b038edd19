import { InvalidInputError } from '@daybook/core'
import { checkSignal } from '../check-arguments.ts'
import { recordExpiries } from '../request/record-expiries.ts'
import type { RuntimeContext } from '../session/runtime-context.ts'
import { closeLogs } from './close-logs.ts'
import { recoverRuns } from './recover-runs.ts'
import type { RecoverOptions, RecoveryReport } from './recovery-report.ts'

/**
 * Ends what nobody drives any more, closes what nobody answered in time, then ends logs whose runs have ended. Throws
 * `InvalidInputError`.
 */
export async function recover(
  { limit = Infinity, signal }: RecoverOptions,
  context: RuntimeContext,
): Promise<RecoveryReport> {
  const isLimit = limit === Infinity || (Number.isSafeInteger(limit) && limit >= 1)
  if (!isLimit) throw new InvalidInputError('limit', `must be an integer of at least 1, not ${String(limit)}`)
  checkSignal(signal)
  const { tried, closed, left, failed } = await recoverRuns(context.runStore, context.recovery, limit, signal)
  const late = await recordExpiries(limit - tried, signal, context)
  const { agentEvents } = context
  const unclosed = agentEvents === undefined ? [] : await closeLogs(signal, { ...context, agentEvents })
  return { closed, left, expired: late.expired, failed: [...failed, ...late.failed, ...unclosed] }
}
