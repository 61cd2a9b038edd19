import { inspect } from 'node:util'

/** Tells what no caller is there to hear of, by the process. */
export function emitWarning(message: string, cause?: unknown): void {
  process.emitWarning(message, { type: 'DaybookWarning', ...(cause !== undefined && { detail: inspect(cause) }) })
}
