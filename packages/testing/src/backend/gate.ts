/** Where a script waits until the test lets it pass. */
export interface Gate {
  /** Resolves when the script has come to the gate. */
  readonly reached: Promise<void>
  /** Lets through whoever waits and whoever comes. */
  open(): void
  /** Called by the one that waits. */
  pass(): Promise<void>
}

export function gate(): Gate {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  return {
    reached: reached.promise,
    open: opened.resolve,
    pass() {
      reached.resolve()
      return opened.promise
    },
  }
}
