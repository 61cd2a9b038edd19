const maxBackOffMs = 50

/** How long to wait before the attempt after this one, in ms: longer each time, and never in step with another process. */
export function backOffMs(attempt: number): number {
  return Math.random() * Math.min(maxBackOffMs, 2 ** attempt)
}
