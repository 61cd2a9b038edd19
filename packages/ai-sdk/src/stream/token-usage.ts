import type { TokenUsage } from '@daybook/core/events'
import type { SdkUsage } from './stream-part.ts'

/** Undefined where the provider counted nothing. What cannot be a count, such as −1, is left out. */
export function tokenUsage(usage: SdkUsage): TokenUsage | undefined {
  const counts = Object.entries({
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    reasoningTokens: usage.outputTokenDetails?.reasoningTokens,
    cachedInputTokens: usage.inputTokenDetails?.cacheReadTokens,
    totalTokens: usage.totalTokens,
  }).filter(([, count]) => Number.isSafeInteger(count) && count! >= 0)
  return counts.length === 0 ? undefined : Object.fromEntries(counts)
}
