let wasStuck = false

/**
 * Does the work of one history. Rejects where it is stuck: the event loop is empty, so nothing is left that could ever
 * settle it. From the first time on the test runner keeps the process alive, and no other one would be noticed: the smaller
 * histories that a property tries then pass, and the first is its counterexample.
 */
export async function unlessStuck(work: () => Promise<void>): Promise<void> {
  if (wasStuck) return
  const stuck = Promise.withResolvers<never>()
  const notice = (): void => {
    wasStuck = true
    stuck.reject(new Error('it is stuck: nothing is left that could go on with it'))
  }
  process.once('beforeExit', notice)
  try {
    await Promise.race([work(), stuck.promise])
  } finally {
    process.off('beforeExit', notice)
  }
}
