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
  const { aborted, addEventListener, removeEventListener } = (signal ?? {}) as Partial<AbortSignal>
  const isWhole = typeof addEventListener === 'function' && typeof removeEventListener === 'function'
  if (typeof aborted !== 'boolean' || !isWhole) throw new InvalidInputError('signal', 'must be an AbortSignal')
}

/** The most ms that the system's timer takes. */
export const maxTimerMs: number = 2 ** 31 - 1

/** Throws `InvalidInputError` for what is no integer of that range. */
export function checkWhole(field: string, value: number, min: number, max: number = Number.MAX_SAFE_INTEGER): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`
  throw new InvalidInputError(field, `must be an integer ${range}, not ${String(value)}`)
}
