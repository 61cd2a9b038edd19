/** Lets other work go on until the condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise<void>((resolve) => setImmediate(resolve))
}

/** Lets all other work that is ready, and what follows from it, be done. */
export async function quiet(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise<void>((resolve) => setImmediate(resolve))
}

/** Whether the promise settles while all other work that is ready goes on. */
export async function settlesSoon(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  const settle = (): void => void (settled = true)
  promise.then(settle, settle)
  await quiet()
  return settled
}
