import { checkId, InvalidInputError } from '@daybook/core'

/** Throws `InvalidIdError` for what is no id, by the name that it has here. */
export function checkIds(ids: Readonly<Record<string, string>>): void {
  for (const [field, id] of Object.entries(ids)) checkId(field, id)
}

/**
 * Throws `InvalidInputError` for what holds no options, by the name that it has here. What is left out has a default; null
 * is a mistake of the caller, and so is a function, a list, or a scope's name in the place of the options.
 */
export function checkOptions(options: Readonly<Record<string, object | undefined>>): void {
  for (const [field, given] of Object.entries(options)) {
    if (given === undefined || (typeof given === 'object' && given !== null && !Array.isArray(given))) continue
    throw new InvalidInputError(field, 'must be an object')
  }
}

/** Throws `InvalidInputError` for what no `AbortController` made, nor something like one. */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal === undefined) return
  const { aborted, addEventListener } = (signal ?? {}) as Partial<AbortSignal>
  if (typeof aborted !== 'boolean' || typeof addEventListener !== 'function')
    throw new InvalidInputError('signal', 'must be an AbortSignal')
}
