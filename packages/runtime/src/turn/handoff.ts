/**
 * Passes items to one consumer. The producer waits until its item is taken, so it is never more than one ahead of the
 * consumer. After `release` items queue up instead, and after `leave` they are dropped.
 */
export class Handoff<T> {
  readonly #items: T[] = []
  readonly #consumers: PromiseWithResolvers<IteratorResult<T, undefined>>[] = []
  #paced = true
  #taken: (() => void) | undefined
  #ended = false
  #failure: { readonly error: unknown } | undefined

  /** Resolves when the consumer took the item, or at once when nobody paces the producer any more. */
  async give(item: T): Promise<void> {
    if (this.#ended) return
    const consumer = this.#consumers.shift()
    if (consumer !== undefined) return consumer.resolve({ done: false, value: item })
    this.#items.push(item)
    if (this.#paced) await new Promise<void>((resolve) => (this.#taken = resolve))
  }

  /** The next item. Rejects once with the error that `end` was given, then is done. */
  next(): Promise<IteratorResult<T, undefined>> {
    const item = this.#items.shift()
    this.#taken?.()
    if (item !== undefined) return Promise.resolve({ done: false, value: item })
    const consumer = Promise.withResolvers<IteratorResult<T, undefined>>()
    this.#consumers.push(consumer)
    if (this.#ended) this.#answerConsumers()
    return consumer.promise
  }

  /** The producer waits for the consumer no more. */
  release(): void {
    this.#paced = false
    this.#taken?.()
  }

  /** The consumer wants no more. */
  leave(): void {
    this.#items.length = 0
    this.release()
    this.end()
  }

  /** Nothing follows what is queued, except the failure where there is one. */
  end(failure?: { readonly error: unknown }): void {
    if (this.#ended) return
    this.#ended = true
    this.#failure = failure
    this.#answerConsumers()
  }

  #answerConsumers(): void {
    for (const consumer of this.#consumers.splice(0)) {
      const failure = this.#failure
      this.#failure = undefined
      if (failure === undefined) consumer.resolve({ done: true, value: undefined })
      else consumer.reject(failure.error)
    }
  }
}
