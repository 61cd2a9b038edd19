import { InvalidInputError } from '../errors/index.ts'
import { defaultPageItems, maxPageItems } from './page.ts'

/** The limit of a page, the default where there is none. Throws `InvalidInputError` outside 1..`maxPageItems`. */
export function checkPageLimit(limit: number = defaultPageItems): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= maxPageItems) return limit
  throw new InvalidInputError('limit', `must be an integer from 1 to ${maxPageItems}, not ${String(limit)}`)
}

/** The position that a page starts after, 0 where there is none. Throws `InvalidInputError` for what no page returned. */
export function checkPosition(after: number = 0): number {
  if (Number.isSafeInteger(after) && after >= 0) return after
  throw new InvalidInputError('after', `must be a position that a page returned, or 0, not ${String(after)}`)
}
