/** How long the event loop is blocked for another process, in ms, before this one comes again later. */
export const blockingWaitMs = 2

/** What one turn of the event loop spends on reads, and what on writes, in ms, before the rest waits for another turn. */
export const turnBudgetMs = 8

const maxBackOffMs = 50

/** How long to wait after an attempt, in ms: longer each time, and never in step with another process. */
export function backOffMs(attempt: number): number {
  return Math.random() * Math.min(maxBackOffMs, 2 ** attempt)
}
