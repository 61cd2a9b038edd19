import { InvalidIdError } from '../errors/input-errors.ts'
import { utf8Length } from './utf8-length.ts'

const maxIdBytes = 200

/** What keeps the value from being an id; undefined when it is one. */
export function idProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string'
  if (value === '') return 'must not be empty'
  if (!value.isWellFormed()) return 'has a lone surrogate'
  if (value.includes('\0')) return 'has a NUL character'
  // A UTF-16 unit has at most three bytes.
  if (value.length * 3 > maxIdBytes && utf8Length(value) > maxIdBytes) return `has more than ${maxIdBytes} bytes`
  return undefined
}

/** Returns the id: 1 to 200 bytes of well-formed Unicode without NUL. Throws `InvalidIdError` otherwise. */
export function checkId(field: string, value: unknown): string {
  const problem = idProblem(value)
  if (problem !== undefined) throw new InvalidIdError(field, problem)
  return value as string
}
