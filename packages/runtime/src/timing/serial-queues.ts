/** Does one piece of work after the other among those of the same key; keys without work cost nothing. */
export class SerialQueues {
  readonly #tails = new Map<string, Promise<unknown>>()

  /** Settles as `work` does, once what was given for the key before has settled. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const done = (this.#tails.get(key) ?? Promise.resolve()).then(work)
    const tail = done
      .catch(() => {})
      .then(() => {
        if (this.#tails.get(key) === tail) this.#tails.delete(key)
      })
    this.#tails.set(key, tail)
    return done
  }

  /** How many keys have work. */
  get size(): number {
    return this.#tails.size
  }
}
