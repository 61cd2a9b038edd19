import type { InvocationEnding } from '@daybook/core/canonical-runtime-event'

/** How a turn ended, in a word or two, such as `failed (app_restarted)`. */
export function describeEnding(state: string, ending: InvocationEnding | undefined): string {
  return ending?.failureCode === undefined ? state : `${state} (${ending.failureCode})`
}
