/** What ends a turn early: `stop`, or the abort of its caller's signal, whichever comes first. */
export interface TurnStop {
  readonly signal: AbortSignal
  /** Who stopped it, where that is known. */
  source(): string | undefined
  stop(source: string | undefined): void
  /** The turn is over: aborts what still runs for it, and forgets the caller's signal. */
  dispose(): void
}

export function createTurnStop(callersSignal: AbortSignal): TurnStop {
  const controller = new AbortController()
  let source: string | undefined
  const stop = (by: string | undefined): void => {
    if (controller.signal.aborted) return
    source = by
    // Without a reason of its own: the SDK and the providers tell an abort from a failure by the reason's name.
    controller.abort()
  }
  const onAbort = (): void => stop(typeof callersSignal.reason === 'string' ? callersSignal.reason : undefined)
  callersSignal.addEventListener('abort', onAbort)
  if (callersSignal.aborted) onAbort()
  return {
    signal: controller.signal,
    source: () => source,
    stop,
    dispose: () => {
      callersSignal.removeEventListener('abort', onAbort)
      controller.abort()
    },
  }
}
