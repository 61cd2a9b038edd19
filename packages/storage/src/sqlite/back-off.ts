/** How long the event loop is blocked for another process, in ms, before this one comes again later. */
export const blockingWaitMs = 2

const maxBackOffMs = 50

/** How long to wait after an attempt, in ms: longer each time, and never in step with another process. */
export function backOffMs(attempt: number): number {
  return Math.random() * Math.min(maxBackOffMs, 2 ** attempt)
}
