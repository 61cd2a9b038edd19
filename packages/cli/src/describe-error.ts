import { DaybookError } from '@daybook/core'
import { cleanLine } from './clean-text.ts'

/** An error on one line for a person: its stable code, then its message. */
export function describeError(error: unknown): string {
  const code = DaybookError.is(error) ? error.code : 'UNEXPECTED'
  return cleanLine(`${code}: ${error instanceof Error ? error.message : String(error)}`)
}
