import type { StartTimer } from './timer.ts'

/** Waits for the work, but at most `ms`; false when the time was up first. Rejects when the work does in time. */
export async function settlesWithin(work: Promise<unknown>, ms: number, startTimer: StartTimer): Promise<boolean> {
  const timeUp = Promise.withResolvers<boolean>()
  const cancel = startTimer(() => timeUp.resolve(false), ms)
  try {
    return await Promise.race([work.then(() => true), timeUp.promise])
  } finally {
    cancel()
  }
}
