/** Calls back once after `ms`, unless the returned function is called before. */
export type StartTimer = (callback: () => void, ms: number) => () => void

/** The system's timer. It does not keep the process alive. */
export const startSystemTimer: StartTimer = (callback, ms) => {
  const timer = setTimeout(callback, ms)
  timer.unref()
  return () => clearTimeout(timer)
}
