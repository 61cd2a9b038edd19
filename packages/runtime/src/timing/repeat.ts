import type { StartTimer } from './timer.ts'

/** Does the work every `ms`, never twice at once, until the returned function is called. `work` must not reject. */
export function repeat(work: () => Promise<void>, ms: number, startTimer: StartTimer): () => void {
  let isOver = false
  let cancel: () => void
  const wait = (): void => {
    cancel = startTimer(() => void work().then(() => isOver || wait()), ms)
  }
  wait()
  return () => {
    isOver = true
    cancel()
  }
}
