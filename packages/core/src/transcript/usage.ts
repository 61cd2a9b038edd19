import type { TokenUsage } from '../runtime-event/actions.ts'
import type { RuntimeEvent } from '../runtime-event/runtime-event.ts'

const counts = ['inputTokens', 'outputTokens', 'reasoningTokens', 'cachedInputTokens', 'totalTokens'] as const

/** Each count summed over the events that have it; undefined where none has any. */
export function totalUsage(events: Iterable<RuntimeEvent>): TokenUsage | undefined {
  const total: { -readonly [Count in keyof TokenUsage]: number } = {}
  for (const { actions } of events) {
    for (const count of counts) {
      const tokens = actions?.tokenUsage?.[count]
      if (typeof tokens === 'number') total[count] = (total[count] ?? 0) + tokens
    }
  }
  return Object.keys(total).length === 0 ? undefined : total
}
