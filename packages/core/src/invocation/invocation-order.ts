import { compareCodePoints } from '../json/compare-code-points.ts'
import type { InvocationRecord } from './invocation-record.ts'

/** The one order of invocations, oldest first: by opened time, then by invocation id by Unicode code point. */
export function compareInvocations(
  a: Pick<InvocationRecord, 'openedAt' | 'invocationId'>,
  b: Pick<InvocationRecord, 'openedAt' | 'invocationId'>,
): number {
  return a.openedAt - b.openedAt || compareCodePoints(a.invocationId, b.invocationId)
}
