/** Reads a stream until it ends or the signal is aborted, even while the stream is silent and does not care. */
export interface UntilAborted<Item> {
  next(): Promise<IteratorResult<Item, unknown> | 'aborted'>
}

export function untilAborted<Item>(stream: AsyncIterable<Item>, signal: AbortSignal): UntilAborted<Item> {
  const iterator = stream[Symbol.asyncIterator]()
  // One listener for all reads: racing each against one promise would keep every read in memory.
  let onAbort = (): void => undefined
  signal.addEventListener('abort', () => onAbort())
  return {
    next: () =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return resolve('aborted')
        onAbort = () => resolve('aborted')
        iterator.next().then(resolve, reject)
      }),
  }
}
