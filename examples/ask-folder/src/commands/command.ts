import type { Screen } from '../terminal/screen.ts'

/** What was typed, apart from the command. */
export interface Asked {
  /** What stands beside the options; undefined when nothing does. */
  readonly text: string | undefined
  readonly dir: string
  /** The folder in which the ledger is kept. */
  readonly ledger: string
  readonly fresh: boolean
  readonly reason: string | undefined
}

/** Where a command runs. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv
  readonly screen: Screen
  /** Aborted by the first Ctrl-C. A command that does not ask for it has nothing to end, and Ctrl-C ends the process. */
  readonly stopSignal: () => AbortSignal
}

export interface Command {
  /** What is typed after `npm start`. */
  readonly usage: string
  readonly summary: string
  /** Resolves to the exit code. Throws `UsageError` for what it does not take, and typed errors. */
  readonly run: (asked: Asked, terminal: Terminal) => Promise<number>
}

/** What was typed makes no sense; the help follows it. */
export class UsageError extends Error {}
