/** What a module calls that the crash harness runs. Each call is done when it returns: the event loop is not needed. */
import { readSync, writeFileSync } from 'node:fs'
import { type ChildMessage, type ChildStart, pipeDescriptor } from './child-protocol.ts'

let start: ChildStart | undefined

/** The `input` that the harness was given for this child. */
export function childInput(): unknown {
  return startOfChild().input
}

/** Tells the harness; from then on a kill does not take it back. The value is made JSON. */
export function acknowledge(value: unknown): void {
  tell({ acknowledged: value })
}

/**
 * Where the harness is to hold this child at a point of this name: the whole thread stands still until it says to go on,
 * or kills. Elsewhere does nothing.
 */
export function reachPoint(name: string): void {
  if (!startOfChild().holdAt.includes(name)) return
  tell({ heldAt: name })
  const hasEnded = readSync(pipeDescriptor, new Uint8Array(1)) === 0
  if (hasEnded) process.exit(1)
}

function tell(message: ChildMessage): void {
  writeFileSync(pipeDescriptor, `${JSON.stringify(message)}\n`)
}

function startOfChild(): ChildStart {
  const [, , argument] = process.argv
  if (argument === undefined) throw new Error('this module is to be run by the crash harness')
  return (start ??= JSON.parse(argument) as ChildStart)
}
