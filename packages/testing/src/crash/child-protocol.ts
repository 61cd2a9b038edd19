/** The descriptor in the child of the pipe between it and the harness. */
export const pipeDescriptor = 3

/** What the harness hands over as the first argument, in JSON. */
export interface ChildStart {
  readonly input: unknown
  readonly holdAt: readonly string[]
}

/** A line of the child, in JSON. A byte in the other direction lets a held child go on. */
export type ChildMessage = { readonly acknowledged: unknown } | { readonly heldAt: string }
