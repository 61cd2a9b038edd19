/** Exit code of a command that was interrupted. */
export const interrupted = 130

/** Aborted by the first Ctrl-C, and when nobody reads any more; the second Ctrl-C ends the process. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => (controller.signal.aborted ? process.exit(interrupted) : controller.abort()))
  process.stdout.on('error', () => controller.abort())
  return controller.signal
}
