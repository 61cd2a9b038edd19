/**
 * Waits for promises of one turn, one after the other, but no longer than until the signal is aborted: then the wait
 * rejects, however little what was waited for cares.
 */
export function unlessAborted(signal: AbortSignal): <T>(promise: Promise<T>) => Promise<T> {
  // One listener for all waits: racing each against one promise would keep every one in memory.
  let onAbort = (): void => undefined
  signal.addEventListener('abort', () => onAbort())
  return (promise) =>
    new Promise((resolve, reject) => {
      onAbort = () => reject(signal.reason as Error)
      if (signal.aborted) onAbort()
      promise.then(resolve, reject)
    })
}
