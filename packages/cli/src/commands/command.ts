/** Where a command writes; each call is one line. */
export interface Output {
  readonly out: (line: string) => void
  readonly err: (line: string) => void
}

export interface Command {
  /** What follows the name, such as `FILE [--json]`. */
  readonly usage: string
  readonly summary: string
  /** Resolves to the exit code. Throws `UsageError` for arguments that it does not take, and typed errors. */
  readonly run: (args: readonly string[], output: Output) => Promise<number>
}

/** The arguments were not what the command takes. */
export class UsageError extends Error {}
